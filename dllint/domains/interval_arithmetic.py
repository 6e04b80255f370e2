"""Arithmetic on intervals, rounded to a floating-point format in the order in which the source computes."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable
from fractions import Fraction
from typing import Final

from dllint.domains.floating import BINARY32, BRAIN16, FloatFormat
from dllint.domains.interval import Bound, Interval, Origin, lower, upper


def neg(a: Interval) -> Interval:
    """``-a``."""
    low, high = a.high, a.low
    return Interval(Bound(-low.value, low.origin, low.closed), Bound(-high.value, high.origin, high.closed), a.nonzero)


def add(a: Interval, b: Interval, fmt: FloatFormat) -> Interval:
    """``a + b``."""
    return Interval(_sum(a.low, b.low, fmt, -math.inf), _sum(a.high, b.high, fmt, math.inf))


def sub(a: Interval, b: Interval, fmt: FloatFormat) -> Interval:
    """``a - b``."""
    return add(a, neg(b), fmt)


def _sum(a: Bound, b: Bound, fmt: FloatFormat, outermost: float) -> Bound:
    """An end of a sum. Rounding reaches an open end, unless the sum is exact and smaller than the numbers before that end."""
    if math.isinf(a.value) and math.isinf(b.value) and a.value != b.value:
        return Bound(outermost, Origin.UNKNOWN)
    exact = a.value + b.value
    value = fmt.round(exact)
    exactly = Fraction(a.value) + Fraction(b.value) == value if math.isfinite(value) and math.isfinite(exact) else False
    closed = (a.closed and b.closed) or not exactly or not _is_finer(value, a, b)
    return Bound(value, max(a.origin, b.origin), closed)


def _is_finer(value: float, *ends: Bound) -> bool:
    """Whether numbers lie closer together around a sum than before each of the open ends that it comes from."""
    return value == 0 or all(end.closed or abs(value) < abs(end.value) for end in ends)


def mul(a: Interval, b: Interval, fmt: FloatFormat) -> Interval:
    """``a * b``."""
    ends = [_product(x, y, fmt) for x in (a.low, a.high) for y in (b.low, b.high)]
    nonzero = not a.has_zero and not b.has_zero and _no_underflow(a, b, fmt)
    return _hull(ends, nonzero)


def _no_underflow(a: Interval, b: Interval, fmt: FloatFormat) -> bool:
    return _nearest_to_zero(a) * _nearest_to_zero(b) >= fmt.smallest


def _nearest_to_zero(a: Interval) -> float:
    """The least magnitude of an interval's numbers; that of an open end at 0 is taken for harmless."""
    return min((abs(end.value) for end in (a.low, a.high) if end.value), default=0.0)


def _product(a: Bound, b: Bound, fmt: FloatFormat) -> Bound:
    for one, other in ((a, b), (b, a)):
        if one.value == 0 and one.known:
            return _vanishing(one.origin, one.closed or (other.value == 0 and other.closed))
    if 0 in (a.value, b.value):
        return Bound(0.0, max(a.origin, b.origin))
    value = fmt.round(a.value * b.value)
    closed = (a.closed and b.closed) or not math.isfinite(value) or Fraction(a.value) * Fraction(b.value) != value
    return Bound(value, max(a.origin, b.origin), closed)


def _vanishing(origin: Origin, reached: bool) -> Bound:
    """An end of a product or quotient at 0, known to be reached if an operand's end is (else results that underflow are 0)."""
    return Bound(0.0, origin if reached else Origin.UNKNOWN)


def div(a: Interval, b: Interval, fmt: FloatFormat) -> Interval:
    """``a / b``; where the divisor may be 0, anything of the operands' signs."""
    if b.has_zero or (b.low.value < 0 < b.high.value):
        return _over_zero(a, b)
    sign = 1 if b.low.value >= 0 else -1
    ends = [_quotient(x, y, fmt, sign) for x in (a.low, a.high) for y in (b.low, b.high)]
    vanishes = any(math.isinf(end.value) and end.origin is Origin.DERIVED for end in (b.low, b.high))
    return _hull(ends, not a.has_zero and not vanishes and _nearest_to_zero(a) >= fmt.smallest * _furthest_from_zero(b))


def _furthest_from_zero(a: Interval) -> float:
    """The largest magnitude of an interval's finite ends; that of an infinite one is taken for harmless."""
    return max((abs(end.value) for end in (a.low, a.high) if math.isfinite(end.value)), default=0.0)


def _over_zero(a: Interval, b: Interval) -> Interval:
    """Infinite, of either sign even for numbers that are not negative: there is a negative 0, which nothing is known of."""
    origin = max(a.origin, b.origin)
    positive = a.low.value >= 0 and b.low.value >= 0
    return Interval(Bound(-math.inf, Origin.UNKNOWN if positive else origin), Bound(math.inf, origin))


def _quotient(a: Bound, b: Bound, fmt: FloatFormat, sign: int) -> Bound:
    """An end of a quotient by numbers of one sign."""
    origin = max(a.origin, b.origin)
    if a.value == 0 and a.known:
        return _vanishing(a.origin, a.closed)
    if math.isinf(b.value):
        return Bound(0.0, origin)
    if b.value == 0:
        return Bound(math.copysign(math.inf, a.value * sign), origin)
    return Bound(fmt.round(a.value / b.value), origin)


def rounded(a: Interval, fmt: FloatFormat) -> Interval:
    """The numbers of a format that an interval's numbers become; an end that is none of them is reached from both sides."""
    values = fmt.round(a.low.value), fmt.round(a.high.value)
    if values == (a.low.value, a.high.value):
        return a
    low, high = (
        end if value == end.value else Bound(value, end.origin) for value, end in zip(values, (a.low, a.high), strict=True)
    )
    return Interval(low, high, a.nonzero and fmt.round(_nearest_to_zero(a)) != 0)


def in_any_format(a: Interval, formats: Iterable[FloatFormat], kept: Container[float]) -> Interval:
    """The numbers that an interval's numbers may be in single or double precision, of which it is not known which, or in one of
    further formats. Ends that are ``kept`` from operands, and numbers of few digits, are the same in all."""
    for fmt in formats:
        other = rounded(a, fmt)
        a = Interval(lower(a.low, other.low), upper(a.high, other.high), a.nonzero and other.nonzero)
    return Interval(_moved(a.low, -1, kept), _moved(a.high, 1, kept), a.nonzero)


def _moved(end: Bound, side: int, kept: Container[float]) -> Bound:
    """An end moved outwards by what rounding to single precision changes at most."""
    value = end.value
    if value == 0 or not math.isfinite(value) or value in kept or BRAIN16.round(value) == value:
        return end
    return Bound(value + side * abs(value) * 2.0**-BINARY32.precision, end.origin)


def _hull(ends: Iterable[Bound], nonzero: bool) -> Interval:
    low, *others = ends
    high = low
    for end in others:
        low, high = lower(low, end), upper(high, end)
    return Interval(low, high, nonzero)


#: Results that the functions of libraries give exactly where they are exact.
_EXACT: Final = frozenset({-1.0, 0.0, 0.5, 1.0})


def rising(a: Interval, function: Callable[[float], float], fmt: FloatFormat) -> Interval:
    """The values of a function that never falls, computed with a small error. ``function`` takes and may give infinite
    numbers. Numbers that underflow are 0, and reached; so are the limits that rounding reaches, all but 0."""
    low, high = function(a.low.value), function(a.high.value)
    least = low if low in _EXACT else fmt.below(low)
    most = high if high in _EXACT else fmt.above(high)
    return Interval(_computed(fmt.flushed(least) if low > 0 else least, a.low), _computed(most, a.high))


def _computed(value: float, end: Bound) -> Bound:
    return Bound(value, end.origin, end.closed or value != 0 or math.isinf(end.value))


def stepped(a: Interval, function: Callable[[float], float]) -> Interval:
    """The values of a function that never falls and gives whole numbers, without error."""
    low, high = (Bound(function(end.value), end.origin) for end in (a.low, a.high))
    return Interval(low, high)


def absolute(a: Interval) -> Interval:
    """``|a|``."""
    if a.low.value >= 0:
        return a
    if a.high.value <= 0:
        return neg(a)
    return Interval(Bound(0.0, a.origin, a.has_zero), upper(neg(a).high, a.high), not a.has_zero)


def maximum(a: Interval, b: Interval) -> Interval:
    """The larger of two numbers, element by element."""
    low = upper(a.low, b.low, inside=a.low.value == b.low.value)
    return Interval(_reached(low, a, b), upper(a.high, b.high), not a.has_zero and not b.has_zero)


def _reached(end: Bound, a: Interval, b: Interval) -> Bound:
    """The lower end of a maximum: beside operands that are not known it is reached if it is a limit, a number."""
    rests = a.low.known and b.low.known
    return end if rests or end.value in (a.constant, b.constant) else Bound(end.value, Origin.UNKNOWN, end.closed)


def minimum(a: Interval, b: Interval) -> Interval:
    """The smaller of two numbers, element by element."""
    return neg(maximum(neg(a), neg(b)))


def cut(a: Interval, low: float | None, high: float | None) -> Interval:
    """The numbers that reach neither beyond ``low`` nor beyond ``high``, without them being reached (strict comparisons)."""
    out = a
    if low is not None and low >= a.low.value:
        out = Interval(Bound(low, closed=False), out.high, out.nonzero)
    if high is not None and high <= a.high.value:
        out = Interval(out.low, Bound(high, closed=False), out.nonzero)
    return out if out.low.value <= out.high.value else a
