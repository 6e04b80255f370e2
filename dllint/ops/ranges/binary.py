"""Ranges of arithmetic with two operands and of selection."""

from __future__ import annotations

import math

from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, between, exactly
from dllint.domains.interval_arithmetic import absolute, add, div, maximum, minimum, mul, rising, sub
from dllint.domains.interval_arithmetic import neg as negative
from dllint.ir.program import TensorVal
from dllint.ops.ranges import order
from dllint.ops.ranges.affine import tightened
from dllint.ops.ranges.conditions import constrained
from dllint.ops.ranges.elementwise import exp, squared
from dllint.ops.ranges.spec import RangeCall, range_of


def operand(call: RangeCall, name: str) -> Interval:
    """The range of an operand, as the arithmetic of the result's type takes it."""
    value, found = call.arg(name), call.of(name)
    if isinstance(value, TensorVal) or call.integer:
        return found
    return Interval(_rounded(found.low, call), _rounded(found.high, call), found.nonzero)


def _rounded(end: Bound, call: RangeCall) -> Bound:
    return Bound(call.fmt.round(end.value), end.origin, end.closed)


def _scaled(call: RangeCall) -> Interval:
    """torch's ``add(x, y, alpha=…)``."""
    y, alpha = operand(call, "y"), call.arg("alpha")
    return y if alpha is None or alpha == 1 else mul(y, call.ranges(alpha), call.fmt)


@range_of("add")
def _sum(call: RangeCall) -> Interval:
    found = add(operand(call, "x"), _scaled(call), call.fmt)
    return tightened(call, found, 1) if call.arg("alpha") in (None, 1) else found


@range_of("sub")
def _difference(call: RangeCall) -> Interval:
    found = sub(operand(call, "x"), _scaled(call), call.fmt)
    if call.arg("alpha") not in (None, 1):
        return found
    known = order.difference(call.arg("x"), call.arg("y"))
    return tightened(call, found, -1) if known is None else _ordered(found, known)


def _ordered(found: Interval, known: Interval) -> Interval:
    """A range met with what the order of the operands tells, whose ends at 0 are reached."""
    low = known.low if math.isfinite(known.low.value) else found.low
    high = known.high if math.isfinite(known.high.value) else found.high
    return Interval(low, high)


@range_of("mul")
def _product(call: RangeCall) -> Interval:
    if order.same(call.arg("x"), call.arg("y")):
        return squared(call.of("x"), call)
    return mul(operand(call, "x"), operand(call, "y"), call.fmt)


@range_of("div")
def _quotient(call: RangeCall) -> Interval:
    x, y = operand(call, "x"), operand(call, "y")
    found = div(x, y, call.fmt)
    whole = order.part_of_whole(call.arg("x"), call.arg("y"))
    if whole is None or (whole != "norm" and x.low.value < 0):
        return found
    return found.meet(between(0 if x.low.value >= 0 else -1, 1, Origin.UNKNOWN))


@range_of("floor_divide")
def _floored(call: RangeCall) -> Interval:
    found = div(operand(call, "x"), operand(call, "y"), call.fmt)
    return rising(found, lambda x: float(math.floor(x)) if math.isfinite(x) else x, call.fmt)


@range_of("mod", "remainder")
def _remainder(call: RangeCall) -> Interval:
    divisor, x = call.of("y").constant, call.of("x")
    if divisor is None or not 0 < divisor < math.inf:
        return UNKNOWN
    if x.low.value >= 0 and x.high.value < divisor:
        return x
    largest = divisor - 1 if call.integer else divisor
    whole = x.origin if x.high.value - x.low.value >= divisor else Origin.UNKNOWN
    return Interval(Bound(0.0, whole), Bound(largest, whole, call.integer))


@range_of("maximum")
def _larger(call: RangeCall) -> Interval:
    return maximum(operand(call, "x"), operand(call, "y"))


@range_of("minimum")
def _smaller(call: RangeCall) -> Interval:
    return minimum(operand(call, "x"), operand(call, "y"))


@range_of("clamp")
def _clamped(call: RangeCall) -> Interval:
    """A limit that is reached belongs to the result."""
    found = call.of("x")
    if call.arg("min") is not None:
        found = maximum(found, operand(call, "min"))
    return found if call.arg("max") is None else minimum(found, operand(call, "max"))


@range_of("where")
def _chosen(call: RangeCall) -> Interval:
    """Each operand where the condition lets it through."""
    test, x, y = (call.arg(name) for name in ("condition", "x", "y"))
    if x is None or y is None:
        return UNKNOWN
    first = constrained(x, operand(call, "x"), test, True, call.ranges)
    return first.join(constrained(y, operand(call, "y"), test, False, call.ranges))


@range_of("masked_fill")
def _filled(call: RangeCall) -> Interval:
    kept = constrained(call.arg("x"), call.of("x"), call.arg("mask"), False, call.ranges)
    return kept.join(operand(call, "value"))


@range_of("lerp")
def _between(call: RangeCall) -> Interval:
    x, y, weight = call.of("x"), call.of("y"), call.of("weight")
    return x.join(y) if weight.within(between(0, 1)) else UNKNOWN


@range_of("pow")
def _power(call: RangeCall) -> Interval:
    x, y = call.of("x"), call.of("y")
    exponent = y.constant
    if exponent is None:
        return _exponential(x, y, call)
    if exponent == 2:
        return squared(x, call)
    if exponent == 0.5:
        return rising(x, lambda v: math.sqrt(v) if v > 0 else 0.0, call.fmt)
    if exponent == -1:
        return div(exactly(1), x, call.fmt)
    if exponent <= 0 or not (exponent % 2 == 0 or x.low.value >= 0):
        return UNKNOWN
    return rising(absolute(x), lambda v: _raised(v, exponent), call.fmt)


def _raised(value: float, exponent: float) -> float:
    try:
        return math.pow(value, exponent)
    except OverflowError:
        return math.inf


def _exponential(x: Interval, y: Interval, call: RangeCall) -> Interval:
    """A constant to a variable power."""
    base = x.constant
    if base is None or base <= 0 or base == 1:
        return Interval(Bound(0.0, Origin.UNKNOWN), UNKNOWN.high) if x.low.value >= 0 else UNKNOWN
    rate = math.log(base)
    argument = y if rate > 0 else negative(y)
    return rising(argument, lambda v: exp(v * abs(rate)), call.fmt)


@range_of("hypot")
def _hypotenuse(call: RangeCall) -> Interval:
    return Interval(Bound(0.0, max(call.of("x").origin, call.of("y").origin)), Bound(math.inf, Origin.UNKNOWN))
