"""What is told of the values of names: of tensors, objects, and sequences of tensors."""

from __future__ import annotations

from typing import Final

from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, ListVal, Value

#: Of a list, so many elements are told.
_MOST: Final = 5


def telling(value: Value) -> Value:
    """A value that is told of a name, None for others."""
    return value if type(value) is TensorVal or type(value) is InstanceVal else sequence(value)


def sequence(value: Value) -> Value:
    """A tuple or list of tensors as it is now, None for others: a list changes later."""
    if type(value) is ListVal and value.items and type(value.items[0]) is TensorVal:
        return ListVal(value.items[:_MOST])
    return value if type(value) is tuple and value and type(value[0]) is TensorVal else None
