"""Arrays, what they share by name with tensors, and objects taken for them: a table stands for its values."""

from __future__ import annotations

from typing import Final

from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed, InstanceVal, Value

#: The state under which a library object keeps the array it stands for.
ARRAY: Final = "array"
#: The state under which a picture keeps the array that numpy makes of it; to others it is no array.
PIXELS: Final = "pixels"
#: Methods of tensors and arrays whose arguments or results differ (by ``dir`` of torch 2.13 and numpy 2).
SHARED_METHODS: Final = frozenset({
    "all", "any", "argmax", "argmin", "argsort", "clip", "cumprod", "cumsum", "diagonal", "dot", "max", "mean", "min",
    "nonzero", "prod", "put", "repeat", "resize", "round", "sort", "std", "sum", "take", "trace", "transpose", "var",
})  # fmt: skip


def as_array(value: Value) -> Value:
    """The array that an object stands for; any other value as it is, without the mark of a default."""
    value = value.value if isinstance(value, Assumed) else value
    if isinstance(value, InstanceVal) and isinstance(found := value.state.get(ARRAY), TensorVal):
        return found
    return value


def as_data(value: Value) -> Value:
    """What ``numpy.array`` takes for an array: also the numbers of a picture."""
    given = value.value if isinstance(value, Assumed) else value
    if isinstance(given, InstanceVal) and isinstance(found := given.state.get(PIXELS), TensorVal):
        return found
    return as_array(value)
