"""Attention layers: ``MultiHeadAttention()(query, value, key)`` and ``Attention()([query, value, key])``."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.protocols.layer import called, layer_call
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.machine import Machine
from dllint.ir.values import Arguments, InstanceVal, Value

#: Constructor arguments of the layers that their operation takes.
CONFIGURED: Final = ("num_heads", "output_shape", "attention_axes")


@layer_call("keras.layers.MultiHeadAttention", "keras.layers.GroupQueryAttention")
def call_multi_head(machine: Machine, layer: InstanceVal, arguments: Arguments) -> Value:
    """Query, value and key; the key is the value if left out."""
    query = argument(arguments, "query", 0)
    value = argument(arguments, "value", 1)
    operands = {"query": query, "value": value, "key": argument(arguments, "key", 2)}
    return _attend(machine, layer, arguments, "keras_attention", operands)


@layer_call("keras.layers.Attention", "keras.layers.AdditiveAttention")
def call_attention(machine: Machine, layer: InstanceVal, arguments: Arguments) -> Value:
    """A list of query, value and, if given, key."""
    return _attend(machine, layer, arguments, "dot_attention", {"x": argument(arguments, "inputs", 0)})


def _attend(machine: Machine, layer: InstanceVal, arguments: Arguments, op: str, operands: dict[str, Value]) -> Value:
    config = layer.layer
    configured: dict[str, Value] = (
        {k: plain(config.args[k]) for k in CONFIGURED if k in config.args} if config is not None else {}
    )
    scores = plain(arguments.kwargs.get("return_attention_scores", False))
    args: dict[str, Value] = {**operands, "return_attention_scores": scores}
    if op == "keras_attention":
        args |= configured
    name = config.row.name if config is not None else ""
    result = machine.emit(op, args, framework="keras", spelled=name, layer=layer)
    return called(machine, layer, arguments, result)
