"""Arguments as operations take them: tensors by their types."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.program import Framework, TensorVal
from dllint.ir.values import DictVal, SliceVal, Value
from dllint.lower import literals


def typed_value(value: Value) -> Value:
    """An argument as operations take it: tensors by their types."""
    if isinstance(value, TensorVal):
        return value.type
    if isinstance(value, tuple):
        return tuple(map(typed_value, value))
    if isinstance(value, DictVal):
        return {k: typed_value(v) for k, v in value.items.items()}
    if isinstance(value, SliceVal):
        return SliceVal(typed_value(value.start), typed_value(value.stop), typed_value(value.step))
    return value


def as_type(value: Value, framework: Framework) -> Value:
    """A value in the place of a tensor: its type; nested tuples of numbers are arrays where the framework takes them."""
    if isinstance(value, TensorVal):
        return value.type
    if isinstance(value, Unknown):
        return TensorType(value, value)
    if isinstance(value, tuple) and framework != "torch":
        return literals.literal_type(value, framework)
    return typed_value(value)
