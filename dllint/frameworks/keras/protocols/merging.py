"""Layers and functions that merge tensors: ``Add()([a, b])``, ``add([a, b])``, Keras 1's ``merge([a, b], mode="sum")``."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.keras.layers.merging import ELEMENTWISE, MODES
from dllint.frameworks.keras.protocols.layer import called, layer_call
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.frameworks.registry import layer_row
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LayerConfig, LibSymbol, Value

NAMES: Final = (*ELEMENTWISE, "Concatenate", "Dot")


def merge(machine: Machine, name: str, inputs: Value, axis: Value, layer: Value = None) -> Value:
    """The merge of the layer class ``name`` on a list of tensors."""
    parts = plain(inputs)
    spelled = f"keras.layers.{name}"
    if isinstance(parts, TensorVal) and parts.type.rank:
        return _refused(machine, parts, spelled, "it takes a list of tensors, not one")
    tensors = tuple(part for part in parts if isinstance(part, TensorVal)) if isinstance(parts, tuple) else ()
    if not isinstance(parts, tuple) or not parts or len(tensors) < len(parts):
        return machine.unknown("no-tensor", name)
    if name == "Concatenate":
        return machine.emit("cat", {"tensors": parts, "dim": axis}, framework="keras", spelled=spelled, layer=layer)
    if name == "Dot":
        args = {"x": parts[0], "y": parts[1] if len(parts) > 1 else parts[0], "axes": axis}
        return machine.emit("batch_dot", args, framework="keras", spelled=spelled, layer=layer)

    if (layer is None or (isinstance(layer, InstanceVal) and "output" not in layer.state)) and _batches_differ(tensors):
        return _refused(machine, tensors[0], spelled, "the tensors have batches of different sizes")

    def pairwise(a: Value, b: Value) -> Value:
        return machine.emit(ELEMENTWISE[name], {"x": a, "y": b}, framework="keras", spelled=spelled, layer=layer)

    total: Value = reduce(pairwise, _of_one_rank(machine, tensors, spelled))
    if name != "Average":
        return total
    return machine.emit("div", {"x": total, "y": len(parts)}, framework="keras", spelled=spelled, layer=layer)


def _refused(machine: Machine, x: TensorVal, spelled: str, reason: str) -> Value:
    args: dict[str, Value] = {"x": x, "refused": "inputs", "reason": reason}
    return machine.emit("library_call", args, framework="keras", spelled=spelled)


def _batches_differ(tensors: tuple[TensorVal, ...]) -> bool:
    """Whether sizes of batches that are known differ, for which Keras looks when a layer is built: with its first call."""
    sizes = {tensor.shape[0] for tensor in tensors if isinstance(tensor.shape, tuple) and tensor.shape}
    return len({size for size in sizes if isinstance(size, int)}) > 1


def _of_one_rank(machine: Machine, parts: tuple[TensorVal, ...], spelled: str) -> tuple[Value, ...]:
    """Keras inserts axes behind the batch axis until all tensors have the rank of the largest."""
    ranks = [None if isinstance(part.shape, Unknown) else len(part.shape) for part in parts]
    if None in ranks or len(set(ranks)) == 1:
        return parts
    highest = max(rank for rank in ranks if rank is not None)
    out: list[Value] = []
    for part, rank in zip(parts, ranks, strict=True):
        value: Value = part
        for _ in range(highest - (rank or 0)):
            value = machine.emit("unsqueeze", {"x": value, "dim": 1}, framework="keras", spelled=spelled)
        out.append(value)
    return tuple(out)


def _layer_handler(name: str) -> Callable[[Machine, InstanceVal, Arguments], Value]:
    def call(machine: Machine, layer: InstanceVal, arguments: Arguments) -> Value:
        args = layer.layer.args if layer.layer is not None else {}
        axis = plain(args.get("dim", args.get("axes", -1)))
        result = merge(machine, name, argument(arguments, "inputs", 0), axis, layer)
        return called(machine, layer, arguments, result)

    return call


def _function_handler(name: str) -> Handler:
    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        axis = argument(arguments, "axes" if name == "Dot" else "axis", 1, -1)
        layer = _layer_of(machine, name, axis, arguments)
        return merge(machine, name, argument(arguments, "inputs", 0), axis, layer)

    return call


def _layer_of(machine: Machine, name: str, axis: Value, arguments: Arguments) -> InstanceVal:
    """The layer that a function makes and calls: a functional model has it, under the name that is given."""
    row = layer_row(f"keras.layers.{name}")
    args = {"dim": axis} if name == "Concatenate" else {"axes": axis} if name == "Dot" else {}
    state = {"name": arguments.kwargs["name"]} if "name" in arguments.kwargs else {}
    config = LayerConfig(row, args) if row is not None else None
    return InstanceVal(LibSymbol(f"keras.layers.{name}"), site=machine.site, layer=config, state=state)


for _name in NAMES:
    layer_call(f"keras.layers.{_name}")(_layer_handler(_name))
    handler(f"keras.layers.{_name.lower()}")(_function_handler(_name))


@handler("keras.layers.merge")
def legacy_merge(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Keras 1's ``merge(inputs, mode="sum", concat_axis=-1)``."""
    mode = argument(arguments, "mode", 1, "sum")
    if not isinstance(mode, str) or mode not in MODES:
        return machine.unknown("unmodelled-call", "keras.layers.merge")
    axis = argument(arguments, "dot_axes" if mode == "dot" else "concat_axis", 3, -1)
    return merge(machine, MODES[mode], argument(arguments, "inputs", 0), axis)
