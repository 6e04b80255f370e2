"""Rounding errors of sums of many numbers, for any order of summation.

Half precision is summed in single precision and rounded once. Where a sum is exact (as of ones), nothing is added.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from dllint.domains.floating import BINARY32, FloatFormat
from dllint.domains.interval import Bound, Interval, Origin
from dllint.domains.interval_arithmetic import add

#: Libraries add long rows up in blocks, so that no number is rounded more often than this.
_ROUNDED: Final = 1024
#: Numbers below this one that are multiples of its inverse are added up without error.
_SHORT: Final = 1024


def accumulator(fmt: FloatFormat) -> FloatFormat:
    """The format that sums of numbers of a format are computed in."""
    return BINARY32 if fmt.precision < BINARY32.precision else fmt


def roundoff(count: int | None, fmt: FloatFormat) -> float:
    """The relative error of a sum of numbers of one sign, of an unknown number of them if ``count`` is ``None``."""
    return min(count if count is not None else _ROUNDED, _ROUNDED) * 2.0 ** -accumulator(fmt).precision


def total(value: float, count: int, fmt: FloatFormat, direction: int) -> float:
    """The largest (``direction`` 1) or smallest (-1) sum of so many numbers that lie at ``value`` at most."""
    exact = value * count
    if not math.isfinite(exact) or _adds_exactly(value, count, accumulator(fmt)):
        return fmt.round(exact)
    return fmt.round(exact + direction * abs(exact) * roundoff(count, fmt))


def average(value: float, count: int | None, fmt: FloatFormat, direction: int) -> float:
    """The largest or smallest mean of numbers at ``value`` at most; infinite if their sum overflows."""
    inner = accumulator(fmt)
    if value == 0 or math.isinf(value) or (count is not None and _adds_exactly(value, count, inner)):
        return value
    if abs(value) * (count if count is not None else _ROUNDED) > inner.largest:
        return math.copysign(math.inf, value)
    return fmt.round(value + direction * (abs(value) * 2 * roundoff(count, fmt) + inner.spacing))


def averaged(x: Interval, count: int | None, fmt: FloatFormat) -> Interval:
    """Means of numbers."""
    found = _ends(x, lambda value, direction: average(value, count, fmt, direction))
    return found if count == 1 else mixed(found)


def mixed(x: Interval) -> Interval:
    """Mixtures of a range's numbers, with weights that add up to 1: those of positive and negative ones may be 0."""
    return x if x.low.value >= 0 or x.high.value <= 0 else Interval(x.low, x.high)


def widened(x: Interval, error: float, fmt: FloatFormat) -> Interval:
    """The numbers that differ from a range's by an error relative to their size."""
    return _ends(x, lambda value, direction: fmt.round(value + direction * abs(value) * error) if error else value)


def started(x: Interval, start: Interval, count: int | None, fmt: FloatFormat) -> Interval:
    """Sums of so many numbers, which lie in ``x``, added up from a start: every partial sum is rounded, unless they are few
    digits long."""
    found, ends = add(x, start, fmt), [end.value for part in (x, start) for end in (part.low, part.high)]
    if start.constant == 0 or x.constant == 0 or all(abs(end) < _SHORT and float(end * _SHORT).is_integer() for end in ends):
        return found
    error = 2 * max(map(abs, ends)) * roundoff(count, fmt)
    return _ends(found, lambda value, direction: fmt.round(value + direction * error)) if math.isfinite(error) else found


def _ends(x: Interval, moved: Callable[[float, int], float]) -> Interval:
    return Interval(_end(x.low, moved(x.low.value, -1)), _end(x.high, moved(x.high.value, 1)), x.nonzero)


def _end(end: Bound, value: float) -> Bound:
    """An end that rounding has moved; what it moves to is known to be reached if the end itself is."""
    origin = Origin.UNKNOWN if math.isinf(value) and math.isfinite(end.value) else end.origin
    return Bound(value, origin, end.closed or value != 0)


def _adds_exactly(value: float, count: int, fmt: FloatFormat) -> bool:
    """Whether sums of up to ``count`` copies of a number are numbers of a format, so that nothing is ever rounded."""
    numerator = abs(value.as_integer_ratio()[0])
    odd = numerator // (numerator & -numerator) if numerator else 0
    return odd * count <= 2**fmt.precision and abs(value) * count <= fmt.largest
