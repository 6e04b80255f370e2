"""The laws of intervals, and that arithmetic on them holds what arithmetic on their numbers gives."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dllint.domains.affine import AffineForm
from dllint.domains.floating import BINARY16, BINARY32, BINARY64, BRAIN16, FloatFormat
from dllint.domains.interval import Bound, Interval, Origin, between, exactly, unbounded
from dllint.domains.interval_arithmetic import absolute, add, cut, div, maximum, minimum, mul, neg, rising, sub

numbers = st.floats(-200, 200, width=32)
origins = st.sampled_from(list(Origin))
formats = st.sampled_from([BINARY64, BINARY32, BINARY16, BRAIN16])


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    low, high = sorted((draw(numbers), draw(numbers)))
    closed = low == high
    return Interval(
        Bound(low, draw(origins), closed or draw(st.booleans())), Bound(high, draw(origins), closed or draw(st.booleans()))
    )


@st.composite
def members(draw: st.DrawFn) -> tuple[Interval, float]:
    """An interval and one of its numbers."""
    value = draw(numbers)
    low, high = min(value, draw(numbers)), max(value, draw(numbers))
    return Interval(Bound(low, draw(origins)), Bound(high, draw(origins))), value


def holds(interval: Interval, value: float) -> bool:
    return exactly(value).within(interval)


@given(intervals(), intervals())
def test_join_is_an_upper_bound_and_commutes(a: Interval, b: Interval) -> None:
    joined = a.join(b)
    assert a.within(joined)
    assert b.within(joined)
    assert joined == b.join(a)


@given(intervals(), intervals(), intervals())
def test_join_is_associative_and_idempotent(a: Interval, b: Interval, c: Interval) -> None:
    left, right = a.join(b).join(c), a.join(b.join(c))
    assert (left.low, left.high) == (right.low, right.high)
    assert a.join(a).within(a)


@given(intervals(), intervals())
def test_widening_covers_both_and_ends(a: Interval, b: Interval) -> None:
    widened = a.widen(b)
    assert a.within(widened)
    assert b.within(widened)
    again = widened.widen(b)
    assert (again.low.value, again.high.value) == (widened.low.value, widened.high.value)


@given(members(), intervals())
def test_meet_keeps_what_belongs_to_both(pair: tuple[Interval, float], other: Interval) -> None:
    interval, value = pair
    if holds(other, value):
        assert holds(interval.meet(other), value)


@given(members(), members(), formats)
def test_arithmetic_holds_the_rounded_results(x: tuple[Interval, float], y: tuple[Interval, float], fmt: FloatFormat) -> None:
    (a, u), (b, v) = (rounded(x, fmt), rounded(y, fmt))
    assert holds(add(a, b, fmt), fmt.round(u + v))
    assert holds(sub(a, b, fmt), fmt.round(u - v))
    assert holds(mul(a, b, fmt), fmt.round(u * v))
    assert holds(maximum(a, b), max(u, v))
    assert holds(minimum(a, b), min(u, v))
    assert holds(absolute(a), abs(u))
    assert holds(neg(a), -u)
    if v:
        assert holds(div(a, b, fmt), fmt.round(u / v))


def test_a_quotient_that_underflows_is_zero() -> None:
    least = exactly(-(2.0**-149))
    assert holds(div(least, Interval(Bound(1.0), Bound(2.0)), BINARY32), 0.0)
    assert not div(exactly(1.0), Interval(Bound(1.0), Bound(math.inf, Origin.UNKNOWN)), BINARY32).has_zero
    assert div(exactly(1.0), Interval(Bound(1.0), Bound(math.inf)), BINARY32).has_zero, "it is derived that infinity is reached"


def rounded(pair: tuple[Interval, float], fmt: FloatFormat) -> tuple[Interval, float]:
    interval, value = pair
    ends = (fmt.round(interval.low.value), fmt.round(interval.high.value))
    return Interval(Bound(ends[0], interval.low.origin), Bound(ends[1], interval.high.origin)), fmt.round(value)


@given(members())
def test_rising_functions_hold_their_values(pair: tuple[Interval, float]) -> None:
    interval, value = pair
    assert holds(rising(interval, math.tanh, BINARY32), BINARY32.round(math.tanh(value)))
    assert holds(rising(interval, math.atan, BINARY32), BINARY32.round(math.atan(value)))


@given(st.floats(width=32, allow_nan=False, allow_infinity=False), st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_single_precision_sums_are_rounded_as_hardware_does(a: float, b: float) -> None:
    exact = a + b
    try:
        expected = struct.unpack("<f", struct.pack("<f", exact))[0]
    except OverflowError:
        expected = math.copysign(math.inf, exact)
    assert BINARY32.round(exact) == expected


@pytest.mark.parametrize(("fmt", "kept"), [(BINARY32, False), (BINARY64, True), (BINARY16, False)])
def test_a_small_number_beside_one_is_absorbed(fmt: FloatFormat, kept: bool) -> None:
    guarded = sub(add(exactly(1e-10), exactly(1), fmt), between(0, 1), fmt)
    assert (guarded.low.value > 0) is kept


def test_a_small_number_beside_zero_is_kept() -> None:
    assert add(between(0, 1), exactly(1e-10), BINARY32).low.value == BINARY32.round(1e-10)


def test_small_exponentials_may_be_flushed_to_zero() -> None:
    assert rising(between(-100, 87), math.exp, BINARY32).low.value == 0
    assert rising(between(-87, 87), math.exp, BINARY32).low.value > 0


def test_half_precision_loses_the_usual_epsilon() -> None:
    assert BINARY16.flushed(BINARY16.round(1e-8)) == 0
    assert BINARY16.round(70000.0) == math.inf


def test_zero_is_excluded_by_an_open_end_or_a_test() -> None:
    assert not cut(between(0, 5), 0, None).has_zero
    assert not Interval(Bound(-1), Bound(1), nonzero=True).has_zero
    assert mul(exactly(0), unbounded(Origin.UNKNOWN), BINARY32).constant == 0


def test_sums_of_multiples_cancel_but_for_their_error() -> None:
    ranges = {1: between(0, 1), 2: between(1, 2)}
    total = AffineForm({1: 1.0, 2: 1.0}).plus(AffineForm({1: 1.0, 2: -1.0}), error=1e-6)
    interval = total.interval(ranges.__getitem__)
    assert (interval.low.value, interval.high.value) == (-1e-6, 2 + 1e-6)


def test_the_weaker_origin_is_what_a_result_rests_on() -> None:
    assert add(between(0, 1), unbounded(Origin.TRAINED), BINARY32).low.origin is Origin.TRAINED
    assert not add(unbounded(Origin.UNKNOWN), between(0, 1), BINARY32).known
