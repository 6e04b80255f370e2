"""What is told of the values of names: of tensors, objects, sequences of tensors, and tensors that may be something else."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import UnknownFloat
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, ListVal, Value
from dllint.lower.lazy import ChoiceVal

#: Of a list, so many elements are told.
_MOST: Final = 5
#: What a name may hold where branches have not all given it a tensor.
_BESIDE: Final = frozenset({TensorVal, type(None), bool, int, float, DimExpr, UnknownFloat})


def telling(value: Value) -> Value:
    """A value that is told of a name, None for others."""
    return value if type(value) is InstanceVal else with_tensors(value)


def with_tensors(value: Value) -> Value:
    """A tensor, one that may be a number or None instead, or a sequence of tensors; None for others."""
    if type(value) is TensorVal:
        return value
    return _either(value) if isinstance(value, ChoiceVal) else _sequence(value)


def _either(value: ChoiceVal) -> Value:
    kinds = set(map(type, value.options))
    return value if TensorVal in kinds and kinds <= _BESIDE else None


def _sequence(value: Value) -> Value:
    """A tuple or list of tensors as it is now, None for others: a list changes later."""
    if type(value) is ListVal and value.items and type(value.items[0]) is TensorVal:
        return ListVal(value.items[:_MOST])
    return value if type(value) is tuple and value and type(value[0]) is TensorVal else None
