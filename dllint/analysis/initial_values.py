"""Which layers and variables start with one value everywhere."""

from __future__ import annotations

from typing import Any, Final

from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed, InstanceVal, LibSymbol

#: Last part of an initializer's name, in lower case and without ``_initializer`` → what it gives.
_CONSTANTS: Final = {"zeros": "0", "zero": "0", "ones": "1", "one": "1", "constant": "one constant"}
#: Operations that fill a tensor with one value.
_FILLS: Final = {"zeros": "0", "ones": "1", "full": "one constant", "zeros_like": "0", "ones_like": "1"}


def constant_initializer(layer: Any) -> str | None:
    """The one value that a layer's ``kernel_initializer`` gives, in words; ``None`` for any other."""
    config = layer.layer if isinstance(layer, InstanceVal) else None
    chosen = config.args.get("kernel_initializer") if config is not None else None
    chosen = chosen.value if isinstance(chosen, Assumed) else chosen
    if isinstance(chosen, InstanceVal) and isinstance(chosen.cls, LibSymbol):
        chosen = chosen.cls
    name = chosen.name if isinstance(chosen, LibSymbol) else chosen
    if not isinstance(name, str):
        return None
    return _CONSTANTS.get(name.rpartition(".")[2].lower().removesuffix("_initializer"))


def constant_weights(weights: TensorVal) -> str | None:
    """The one value that a variable with at least two axes starts with, in words."""
    variable = weights.producer
    if variable is None or variable.kind != "variable" or (weights.type.rank or 0) < 2:
        return None
    data = variable.args.get("data")
    maker = data.producer if isinstance(data, TensorVal) else None
    return _FILLS.get(maker.kind) if maker is not None else None
