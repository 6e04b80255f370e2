"""Elements of tensors that are made of written numbers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from dllint.domains.enclosure import Enclosure, UndeterminedError, exactly, moved, rounded
from dllint.ops.values.spec import ValueCall, format_named, values_of

#: A number of so many elements is not computed.
LARGEST: Final = 100_000


@values_of("tensor", "array")
def _written(call: ValueCall, data: Any, ndmin: Any = 0) -> Enclosure:
    """Nested rows of numbers, or a tensor that is copied."""
    if ndmin != 0:
        raise UndeterminedError("ndmin")
    found = data if isinstance(data, Enclosure) else exactly(_numbers(data))
    return _stored(call, found)


def _numbers(data: Any) -> Any:
    """The numbers of nested rows; of rows of tensors of one element, these."""
    if isinstance(data, tuple):
        return [_numbers(item) for item in data]
    return data.numbers if isinstance(data, Enclosure) else data


def _stored(call: ValueCall, found: Enclosure) -> Enclosure:
    """Numbers in the type of the result."""
    dtype = call.op.output.dtype
    if dtype.kind == "float":
        return rounded(found, format_named(dtype))
    if dtype.kind not in ("int", "bool") or (found.numbers != np.round(found.numbers)).any():
        raise UndeterminedError("cut off")
    return found


def _sized(shape: tuple[int, ...]) -> tuple[int, ...]:
    if np.prod(shape, dtype=np.float64) > LARGEST:
        raise UndeterminedError("too large")
    return shape


@values_of("ones", "ones_like", "new_ones")
def _ones(call: ValueCall, **given: Any) -> Enclosure:
    return exactly(np.ones(_sized(call.shape())))


@values_of("zeros", "zeros_like", "new_zeros")
def _zeros(call: ValueCall, **given: Any) -> Enclosure:
    return exactly(np.zeros(_sized(call.shape())))


@values_of("full", "full_like", "new_full")
def _full(call: ValueCall, fill_value: Any = None, **given: Any) -> Enclosure:
    if not isinstance(fill_value, bool | int | float):
        raise UndeterminedError("fill_value")
    return _stored(call, exactly(np.full(_sized(call.shape()), float(fill_value))))


@values_of("eye")
def _diagonal(call: ValueCall, n: Any = None, m: Any = None) -> Enclosure:
    rows, columns = _sized(call.shape())
    return exactly(np.eye(rows, columns))


@values_of("arange")
def _counted(call: ValueCall, start: Any = 0, end: Any = None, step: Any = 1) -> Enclosure:
    """Whole numbers are known; others are computed from their position in one way or another."""
    if end is None:
        start, end = 0, start
    (count,) = _sized(call.shape())
    numbers = start + np.arange(count) * float(step)
    if all(type(part) is int for part in (start, step)):
        return exactly(numbers)
    fmt = format_named(call.op.output.dtype)
    return moved(exactly(numbers), _UNITS * max(abs(start), abs(end)) * 2.0**-fmt.precision, fmt)


#: Units in the last place by which the numbers of a row that is computed from its ends are off.
_UNITS: Final = 4


@values_of("linspace")
def _row(call: ValueCall, start: Any, end: Any, steps: Any = 50, endpoint: Any = True, dim: Any = 0) -> Enclosure:
    """The ends are known but in TensorFlow, whatever lies between is rounded twice."""
    if endpoint is not True or not all(isinstance(part, int | float) for part in (start, end)):
        raise UndeterminedError("ends")
    (count,) = _sized(call.shape())
    fmt = format_named(call.op.output.dtype)
    numbers = np.linspace(start, end, count)
    inner = (np.arange(count) % max(count - 1, 1) != 0) | (call.op.framework not in ("torch", "numpy"))
    return moved(exactly(numbers), inner * _UNITS * max(abs(start), abs(end)) * 2.0**-fmt.precision, fmt)
