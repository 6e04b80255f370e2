"""Widening: what a place may hold after a loop that leaves something else there in every pass."""

from __future__ import annotations

from types import NoneType
from typing import Final

from dllint.domains.dtype import DType
from dllint.domains.shape import TensorType
from dllint.ir.program import TensorVal
from dllint.ir.values import LayerConfig, Value
from dllint.lower.lazy import changing

#: What an argument of a layer still is after joins if no pass of a loop has changed it.
_CONSTANT: Final = (int, float, str, DType, NoneType)


def widened(value: Value, latest: Value = None) -> Value:
    """What is left of a value that changes in every pass of a loop; ``latest`` is what the last pass that was followed left."""
    reason = changing(value, latest)
    if isinstance(value, dict):  # the entries that a dict has on one of two paths
        return {}
    if isinstance(value, TensorType):  # a tensor's own type, refined in the loop
        return TensorType(reason, value.dtype)
    if isinstance(value, TensorVal):
        return TensorVal(TensorType(reason, value.type.dtype), framework=value.framework, name=value.name)
    if isinstance(value, LayerConfig):
        args: dict[str, Value] = {name: given if isinstance(given, _CONSTANT) else reason for name, given in value.args.items()}
        return LayerConfig(value.row, args, value.nodes, value.defaulted)
    return reason
