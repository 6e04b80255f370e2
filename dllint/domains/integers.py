"""Integers of fixed width: arithmetic wraps around at the ends of the type, after every operation.

Wide integers whose ends are not known are taken to be counts, which do not overflow.
"""

from __future__ import annotations

import math
from typing import Final

from dllint.domains.dtype import DType
from dllint.domains.interval import Bound, Interval, Origin


def limits(dtype: DType) -> tuple[int, int]:
    """The least and the largest number of an integer type, or of truth values."""
    if dtype.kind == "bool":
        return 0, 1
    if dtype.signed:
        return -(2 ** (dtype.bits - 1)), 2 ** (dtype.bits - 1) - 1
    return 0, 2**dtype.bits - 1


def wrapped(found: Interval, dtype: DType) -> Interval:
    """The numbers that a type makes of those of an interval. If all are beyond one end by the same number of turns, they
    only move; else nothing but the type's limits is known. So it is where they are too large to be computed exactly.

    An end that is not known is the type's limit; but 64 bits count things, and do not overflow for that nothing is known.
    """
    low, high = limits(dtype)
    ends = Interval(_limited(found.low, low, dtype), _limited(found.high, high, dtype), found.nonzero)
    if _fits(ends.low, low, high) and _fits(ends.high, low, high):
        return ends
    turns = _turns(ends, low, 2**dtype.bits)
    if turns is None or dtype.kind == "bool":
        return Interval(Bound(float(low), Origin.UNKNOWN), Bound(float(high), Origin.UNKNOWN))
    return Interval(_moved(ends.low, -turns, dtype), _moved(ends.high, -turns, dtype))


def whole_numbers(found: Interval) -> Interval:
    """What is left of an interval's numbers where all that stands behind the point is cut."""
    ends = [Bound(float(math.trunc(end.value)), end.origin) if math.isfinite(end.value) and end.value % 1 else end
            for end in (found.low, found.high)]  # fmt: skip
    return found if ends == [found.low, found.high] else Interval(ends[0], ends[1])


_WIDEST: Final = 64
#: Whole numbers beyond it are not computed exactly here.
_EXACT: Final = 2.0**53


def _limited(end: Bound, limit: int, dtype: DType) -> Bound:
    counted = dtype.bits == _WIDEST and limit != 0
    return end if math.isfinite(end.value) or counted else Bound(float(limit), Origin.UNKNOWN)


def _fits(end: Bound, low: int, high: int) -> bool:
    return math.isinf(end.value) or (low <= end.value <= high and (abs(end.value) <= _EXACT or end.value in (low, high)))


def _moved(end: Bound, turns: int, dtype: DType) -> Bound:
    return Bound(end.value + turns * 2.0**dtype.bits, end.origin, end.closed)


def _turns(found: Interval, low: int, size: int) -> int | None:
    """How many times around all numbers of an interval are, if that is one number for all and exactly known."""
    if max(abs(found.low.value), abs(found.high.value)) > _EXACT:
        return None
    first, last = (int(found.low.value) - low) // size, (int(found.high.value) - low) // size
    return first if first == last else None
