"""Objects that are taken for arrays: a table or a column stands for its values wherever numbers are expected."""

from __future__ import annotations

from typing import Final

from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed, InstanceVal, Value

#: The state under which a library object keeps the array it stands for.
ARRAY: Final = "array"


def as_array(value: Value) -> Value:
    """The array that an object stands for; any other value as it is, without the mark of a default."""
    value = value.value if isinstance(value, Assumed) else value
    if isinstance(value, InstanceVal) and isinstance(found := value.state.get(ARRAY), TensorVal):
        return found
    return value
