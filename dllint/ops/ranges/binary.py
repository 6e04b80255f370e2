"""Ranges of arithmetic with two operands and of selection."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from dllint.domains.dtype import DType
from dllint.domains.floating import BINARY32, BINARY64, FloatFormat
from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, between, exactly
from dllint.domains.interval_arithmetic import absolute, add, div, maximum, minimum, mul, rising, stepped, sub
from dllint.domains.interval_arithmetic import neg as negative
from dllint.ir.program import TensorVal
from dllint.ops.ranges import order
from dllint.ops.ranges.affine import tightened
from dllint.ops.ranges.borders import Border, steep
from dllint.ops.ranges.conditions import constrained
from dllint.ops.ranges.elementwise import from_end, squared
from dllint.ops.ranges.masks import corrected, selected
from dllint.ops.ranges.rounding import mixed
from dllint.ops.ranges.spec import RangeCall, in_format, operand, placed, range_of, unreached

Operation = Callable[[Interval, Interval, FloatFormat], Interval]


def _computed(call: RangeCall, operation: Operation) -> Interval:
    """An operation with two operands. With a number of the source, or a tensor of a wider type (in place), that of half
    precision is computed in a wider format, to which alone the operand is rounded, or in its own: libraries differ."""
    found = operation(operand(call, "x"), operand(call, "y"), call.fmt)
    own = call.op.outputs[call.index].dtype
    alike = all(isinstance(v := call.arg(name), TensorVal) and v.dtype == own for name in ("x", "y"))
    if alike or call.fmt.precision >= BINARY32.precision:
        return found
    x, y = (in_format(call.of(name), call.arg(name), BINARY32, call.op.framework) for name in ("x", "y"))
    return found.join(operation(x, y, BINARY32))


def _plus_multiple(call: RangeCall, operation: Operation) -> Interval:
    """torch's ``add(x, y, alpha=…)``, whose factor and whose product may be rounded or not."""
    x, y, alpha = operand(call, "x"), operand(call, "y"), call.arg("alpha")
    if alpha is None or alpha == 1:
        return _computed(call, operation)
    factor = call.ranges(alpha).join(operand(call, "alpha"))
    products = (mul(y, factor, fmt) for fmt in (call.fmt, BINARY64))
    first, second = (operation(x, product, call.fmt) for product in products)
    wide = max(call.fmt, BINARY32, key=lambda fmt: fmt.precision)
    return first.join(second).join(operation(call.of("x"), mul(call.of("y"), factor, wide), wide))


@range_of("add")
def _sum(call: RangeCall) -> Interval:
    found = _plus_multiple(call, add)
    if call.arg("alpha") not in (None, 1) or not call.relations:
        return found
    if (chosen := selected(call)) is not None:
        return chosen
    return _corrected(call, tightened(call, found, 1), add)


@range_of("sub")
def _difference(call: RangeCall) -> Interval:
    found = _plus_multiple(call, sub)
    if call.arg("alpha") not in (None, 1) or not call.relations:
        return found
    known = order.difference(call.arg("x"), call.arg("y"))
    return _corrected(call, tightened(call, found, -1), sub) if known is None else _ordered(found, known)


def _corrected(call: RangeCall, found: Interval, operation: Operation) -> Interval:
    """The range of a sum or difference without what a condition on one operand keeps the other one from."""
    known = corrected(call, lambda x, y: operation(x, y, call.fmt))
    return found if known is None else found.meet(known)


def _ordered(found: Interval, known: Interval) -> Interval:
    """The bounds that the order of the operands gives where they are finite, else those of ``found``."""
    low = known.low if math.isfinite(known.low.value) else found.low
    high = known.high if math.isfinite(known.high.value) else found.high
    return Interval(low, high)


@range_of("mul")
def _product(call: RangeCall) -> Interval:
    if call.relations and order.same_aligned(call.arg("x"), call.arg("y")):
        return squared(call.of("x"), call)
    return _computed(call, mul)


steep("div", Border(0, operand="y"))
steep("mod", Border(0, operand="y"))
steep("remainder", Border(0, operand="y"))


@range_of("div")
def _quotient(call: RangeCall) -> Interval:
    x, y = operand(call, "x"), operand(call, "y")
    found = _computed(call, div)
    if call.op.framework == "torch" and not isinstance(call.arg("x"), TensorVal):
        found = found.join(mul(div(exactly(1), y, call.fmt), x, call.fmt))  # of a number torch multiplies by the reciprocal
    if order.of_one_function(call.arg("x"), call.arg("y")):
        found = unreached(found)
    if call.arg("rounding_mode") is not None:
        return _whole(found, call, math.trunc if call.arg("rounding_mode") == "trunc" else math.floor)
    whole = order.part_of_whole(call.arg("x"), call.arg("y")) if call.relations else None
    if whole is None or (whole != "norm" and x.low.value < 0):
        return found
    return found.meet(between(0 if x.low.value >= 0 else -1, 1, Origin.UNKNOWN))


@range_of("floor_divide")
def _floored(call: RangeCall) -> Interval:
    return _whole(_computed(call, div), call)


def _whole(found: Interval, call: RangeCall, cut: Callable[[float], int] = math.floor) -> Interval:
    """Quotients rounded to whole numbers. The remainder is subtracted first, so that a quotient which rounding has brought up
    to a whole number becomes the one below."""
    down = stepped(found, lambda x: float(cut(x)) if math.isfinite(x) else x)
    exact = cut is math.trunc or call.integer or not math.isfinite(down.low.value) or down.low.value != found.low.value
    below = min(down.low.value - 1, call.fmt.below(down.low.value))
    return down if exact else Interval(Bound(below, Origin.UNKNOWN), down.high)


@range_of("mod", "remainder")
def _remainder(call: RangeCall) -> Interval:
    """Of the divisor's sign, and not larger than it; numbers that are smaller already stay."""
    divisor, x = operand(call, "y"), operand(call, "x")
    if not math.isfinite(divisor.low.value) or not math.isfinite(divisor.high.value):
        return UNKNOWN
    if x.low.value >= 0 and x.high.value < divisor.low.value:
        return x
    most = max(divisor.high.value - call.integer, 0.0)
    whole = x.origin if divisor.low.value > 0 and x.high.value - x.low.value >= divisor.high.value else Origin.UNKNOWN
    return between(min(divisor.low.value + call.integer, 0.0), most, whole)


@range_of("gcd")
def _common_divisor(call: RangeCall) -> Interval:
    """Not above an operand that is not 0; the divisor of 0 and a number is the number's magnitude."""
    sizes = _magnitudes(call)
    limits = [size.high.value for size in sizes if not size.has_zero]
    most = min(limits) if limits else max((size.high.value for size in sizes), default=math.inf)
    return between(1 if limits else 0, most, Origin.UNKNOWN) if _fits(call, sizes) else UNKNOWN


@range_of("lcm")
def _common_multiple(call: RangeCall) -> Interval:
    """Between the larger operand and the product; 0 if an operand is 0."""
    x, y = sizes = _magnitudes(call)
    product = mul(x, y, call.fmt)
    if not _fits(call, (*sizes, product)):
        return UNKNOWN
    least = 0.0 if x.has_zero or y.has_zero else max(x.low.value, y.low.value)
    return between(least, product.high.value, Origin.UNKNOWN)


def _magnitudes(call: RangeCall) -> tuple[Interval, Interval]:
    return absolute(operand(call, "x")), absolute(operand(call, "y"))


def _fits(call: RangeCall, sizes: Iterable[Interval]) -> bool:
    """Whether the result's type holds all of these whole numbers."""
    dtype = call.op.outputs[call.index].dtype
    if not isinstance(dtype, DType) or dtype.kind != "int":
        return False
    return all(size.high.value < 2.0 ** (dtype.bits - dtype.signed) for size in sizes)


@range_of("maximum")
def _larger(call: RangeCall) -> Interval:
    return maximum(operand(call, "x"), operand(call, "y"))


@range_of("minimum")
def _smaller(call: RangeCall) -> Interval:
    return minimum(operand(call, "x"), operand(call, "y"))


@range_of("clamp")
def _clamped(call: RangeCall) -> Interval:
    """A limit that is reached belongs to the result. Of two limits that exclude each other TensorFlow takes the lower one, the
    others the upper one; one that elements cannot hold may become any."""
    limits = {"min": maximum, "max": minimum}
    found = call.of("x")
    for name in reversed(limits) if call.op.framework == "tensorflow" else limits:
        if call.arg(name) is None:
            continue
        end = operand(call, name)
        if end is UNKNOWN:
            return UNKNOWN
        found = limits[name](found, end)
    return found


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
    return kept.join(placed(call, "value"))


@range_of("lerp")
def _between(call: RangeCall) -> Interval:
    x, y, weight = call.of("x"), call.of("y"), call.of("weight")
    return mixed(x.join(y)) if weight.within(between(0, 1)) else UNKNOWN


@range_of("pow")
def _power(call: RangeCall) -> Interval:
    x, y = call.of("x").join(operand(call, "x")), call.of("y")
    exponent = y.constant
    if call.integer and y.low.value < 0:
        # Quotients of whole numbers: 0, but for those of 1 and -1.
        return (_exponential(x, y, call) if exponent is None else exactly(0)).join(between(-1, 1, Origin.UNKNOWN))
    if exponent is None:
        found = _exponential(x, y, call)
        return found if y.low.value >= 0 else found.join(exactly(0))  # a quotient may be too small for its type
    if exponent == 2:
        return squared(x, call)
    if exponent == -1:
        return div(exactly(1), x, call.fmt)
    found = _to(x, exponent, call)
    for rounded in {BINARY32.round(exponent), call.fmt.round(exponent)} - {exponent}:
        found = found.join(_to(x, rounded, call))  # as libraries may take it
    return found


def _to(x: Interval, exponent: float, call: RangeCall) -> Interval:
    if exponent >= 0:
        return raised(x, exponent, call)
    found = div(exactly(1), raised(x, -exponent, call), call.fmt)
    return found.join(exactly(0)) if 0 in (found.low.value, found.high.value) else found


def raised(x: Interval, exponent: float, call: RangeCall) -> Interval:
    """Powers that fall nowhere, or nowhere but below 0; of negative numbers only whole ones are numbers, but for those of
    negative infinity."""
    if exponent % 2 == 1:
        return _underflowing(rising(x, lambda v: math.copysign(_raised(abs(v), exponent), v), call.fmt), exponent)
    if exponent % 2 == 0:
        return _underflowing(rising(absolute(x), lambda v: _raised(v, exponent), call.fmt), exponent)
    found = _underflowing(rising(from_end(x, 0.0), lambda v: _raised(max(v, 0.0), exponent), call.fmt), exponent)
    return found if math.isfinite(x.low.value) else Interval(found.low, Bound(math.inf, x.low.origin))


def _underflowing(found: Interval, exponent: float) -> Interval:
    """Powers whose ends at 0 are reached by underflow, though not by a number that is known."""
    if exponent <= 1:
        return found
    low, high = (Bound(0.0, Origin.UNKNOWN) if end.value == 0 and not end.closed else end for end in (found.low, found.high))
    return Interval(low, high)


def _raised(value: float, exponent: float) -> float:
    if value == 0 and exponent < 0:
        return math.inf
    try:
        return math.pow(value, exponent)
    except OverflowError:
        return math.inf


def _exponential(x: Interval, y: Interval, call: RangeCall) -> Interval:
    """A number to a power that varies: extreme where both are."""
    if x.low.value < 0 or not y.known:  # of whole numbers the power may be too large for their type
        return UNKNOWN if x.low.value < 0 or call.integer else Interval(Bound(0.0, Origin.UNKNOWN), UNKNOWN.high)
    base = x.constant
    if base is not None and base > 0 and base != 1:
        sign = 1 if base > 1 else -1
        return rising(y if base > 1 else negative(y), lambda v: _raised(base, v * sign), call.fmt)
    return _corners(x, y, call)


def _corners(x: Interval, y: Interval, call: RangeCall) -> Interval:
    """Range of ``x ** y`` for non-negative ``x``, from the corners of both ranges."""
    if x.low.value == 0 and y.low.value <= 0 and not call.integer:
        return Interval(Bound(0.0, Origin.UNKNOWN), UNKNOWN.high)
    ends = [_raised(a.value, b.value) for a in (x.low, x.high) for b in (y.low, y.high)]
    low, high = call.fmt.flushed(call.fmt.below(min(ends))), call.fmt.above(max(ends))
    return between(low, high, max(x.origin, y.origin))


@range_of("hypot")
def _hypotenuse(call: RangeCall) -> Interval:
    return Interval(Bound(0.0, max(call.of("x").origin, call.of("y").origin)), Bound(math.inf, Origin.UNKNOWN))
