"""Whole numbers of a fixed size: what lies beyond the ends of their type wraps around."""

from __future__ import annotations

import math
from typing import Final

from dllint.domains.dtype import DType
from dllint.domains.interval import Bound, Interval, Origin


def limits(dtype: DType) -> tuple[int, int]:
    """The least and the largest number of an integer type."""
    if dtype.signed:
        return -(2 ** (dtype.bits - 1)), 2 ** (dtype.bits - 1) - 1
    return 0, 2**dtype.bits - 1


def wrapped(found: Interval, dtype: DType) -> Interval:
    """The numbers that a type makes of those of an interval. If all are beyond one end by the same number of turns, they
    only move; else nothing but the type's limits is known.

    An end that is not known is the type's limit if the type is small or the limit is 0. Wide integers are taken to count
    something: where no end is known, nothing is assumed to wrap around.
    """
    low, high = limits(dtype)
    ends = Interval(_limited(found.low, low, dtype), _limited(found.high, high, dtype), found.nonzero)
    if _fits(ends.low, low, high) and _fits(ends.high, low, high):
        return ends
    turns = _turns(ends, low, 2**dtype.bits)
    if turns is None:
        return Interval(Bound(float(low), Origin.UNKNOWN), Bound(float(high), Origin.UNKNOWN))
    return Interval(_moved(ends.low, -turns, dtype), _moved(ends.high, -turns, dtype))


#: Types of at most so many bits hold pixels, characters and small codes, which do wrap around.
_SMALL: Final = 16


def _limited(end: Bound, limit: int, dtype: DType) -> Bound:
    small = dtype.bits <= _SMALL or limit == 0
    return Bound(float(limit), Origin.UNKNOWN) if math.isinf(end.value) and small else end


def _fits(end: Bound, low: int, high: int) -> bool:
    return math.isinf(end.value) or low <= end.value <= high


def _moved(end: Bound, turns: int, dtype: DType) -> Bound:
    return Bound(end.value + turns * 2.0**dtype.bits, end.origin, end.closed)


def _turns(found: Interval, low: int, size: int) -> int | None:
    """How many times around all numbers of an interval are, if that is one number for all and exactly known."""
    if not max(abs(found.low.value), abs(found.high.value)) < 2**53:
        return None
    first, last = (int(found.low.value) - low) // size, (int(found.high.value) - low) // size
    return first if first == last else None
