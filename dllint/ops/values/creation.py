"""Elements of tensors that are made of written numbers."""

from __future__ import annotations

from typing import Final

import numpy as np

from dllint.domains.dtype import DType
from dllint.domains.enclosure import Enclosure, UndeterminedError, exactly, moved, rounded
from dllint.ir.values import Value
from dllint.ops.values.spec import ValueCall, format_named, values_of

#: A number of so many elements is not computed.
LARGEST: Final = 100_000


@values_of(
    "tensor FloatTensor DoubleTensor LongTensor IntTensor BoolTensor Tensor new_tensor as_tensor",
    "array constant convert_to_tensor asarray float32 float64 int32 int64 float16 stack tensor",
)
def _written(call: ValueCall, data: Value, ndmin: int = 0) -> Enclosure:
    """Nested rows of numbers, or a tensor that is copied."""
    if ndmin != 0:
        raise UndeterminedError("ndmin")
    found = data if isinstance(data, Enclosure) else exactly(_numbers(data))
    return _stored(call, found)


def _numbers(data: Value | Enclosure) -> object:
    """The numbers of nested rows; of rows of tensors of one element, these."""
    if isinstance(data, tuple):
        return [_numbers(item) for item in data]
    return data.numbers if isinstance(data, Enclosure) else data


def _stored(call: ValueCall, found: Enclosure) -> Enclosure:
    """Numbers in the type of the result."""
    dtype = call.op.output.dtype
    kind = dtype.kind if isinstance(dtype, DType) else ""
    if kind == "float":
        return rounded(found, format_named(dtype))
    if kind not in ("int", "bool") or (found.numbers != np.round(found.numbers)).any():
        raise UndeterminedError("cut off")
    return found


def _sized(shape: tuple[int, ...]) -> tuple[int, ...]:
    if np.prod(shape, dtype=np.float64) > LARGEST:
        raise UndeterminedError("too large")
    return shape


@values_of("ones", "ones_like", "new_ones")
def _ones(call: ValueCall, **given: Value) -> Enclosure:
    return exactly(np.ones(_sized(call.shape())))


@values_of("zeros", "zeros_like", "new_zeros")
def _zeros(call: ValueCall, **given: Value) -> Enclosure:
    return exactly(np.zeros(_sized(call.shape())))


@values_of("full fill constant", "full_like", "new_full")
def _full(call: ValueCall, fill_value: Enclosure, **given: Value) -> Enclosure:
    return _stored(call, exactly(np.full(_sized(call.shape()), fill_value.numbers)))


@values_of("eye identity")
def _diagonal(call: ValueCall, k: int = 0, **given: Value) -> Enclosure:
    rows, columns = _sized(call.shape())
    return exactly(np.eye(rows, columns, k))


@values_of("arange range")
def _counted(call: ValueCall, start: float = 0, end: float | None = None, step: float = 1) -> Enclosure:
    """Whole numbers are known. Others are computed from their position, or each from the one before it; numpy multiplies by the
    difference of the first two, which is rounded."""
    if end is None:
        start, end = 0, start
    (count,) = _sized(call.shape())
    numbers = start + np.arange(count) * float(step)
    if all(type(part) is int for part in (start, step)):
        return exactly(numbers)
    fmt = format_named(call.op.output.dtype)
    unit = max(abs(start), abs(end), abs(step)) * 2.0**-fmt.precision
    return moved(exactly(numbers), np.asarray((_UNITS + 2 * np.arange(count)) * unit, dtype=np.float64), fmt)


#: Units in the last place by which the numbers of a row that is computed from its ends are off.
_UNITS: Final = 4


@values_of("linspace")
def _row(call: ValueCall, start: float, end: float, endpoint: bool = True, **given: Value) -> Enclosure:
    """The ends are known but in TensorFlow, whatever lies between is rounded twice."""
    if not endpoint:
        raise UndeterminedError("ends")
    (count,) = _sized(call.shape())
    fmt = format_named(call.op.output.dtype)
    numbers = np.linspace(start, end, count)
    inner = (np.arange(count) % max(count - 1, 1) != 0) | (call.op.framework not in ("torch", "numpy"))
    return moved(exactly(numbers), inner * _UNITS * max(abs(start), abs(end)) * 2.0**-fmt.precision, fmt)
