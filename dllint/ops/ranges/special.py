"""Ranges of rarer functions of one tensor, and of arithmetic with three."""

from __future__ import annotations

import math
from types import NoneType
from typing import Final

from dllint.domains.interval import UNKNOWN, Bound, Interval, exactly
from dllint.domains.interval_arithmetic import absolute, add, div, maximum, minimum, mul, neg, rising
from dllint.ops.ranges.borders import POLE, Border, steep
from dllint.ops.ranges.elementwise import Function, from_end
from dllint.ops.ranges.spec import RangeCall, limit, operand, placed, range_of, unreached


def _power_of_2(x: float) -> float:
    return math.pow(2, x) if x < 1024 else math.inf


def _atanh(x: float) -> float:
    return math.copysign(math.inf, x) if abs(x) >= 1 else math.atanh(x)


def _acosh(x: float) -> float:
    return x if x == math.inf else math.acosh(max(x, 1.0))


_DEGREES: Final = {"deg2rad": math.pi / 180, "rad2deg": 180 / math.pi}


def _rising(name: str, function: Function) -> None:
    @range_of(name)
    def transfer(call: RangeCall) -> Interval:
        return rising(call.of("x"), function, call.fmt)


_rising("exp2", _power_of_2)
_rising("atanh", _atanh)

_ENDS: Final = (Border(-1), Border(1))
steep("acosh", Border(1, value=True), domain=(1, math.inf))
steep("atanh", *_ENDS, domain=(-1, 1))
steep("erfinv", *_ENDS, domain=(-1, 1))
steep("digamma", POLE)
steep("lgamma", POLE)
steep("xlogy", Border(0, operand="y"))
steep("addcdiv", Border(0, operand="tensor2"))
steep("fmod", Border(0, operand="y"))


@range_of("acosh")
def _inverse_cosh(call: RangeCall) -> Interval:
    return rising(from_end(call.of("x"), 1.0), _acosh, call.fmt)


@range_of("quantile")
def _between_elements(call: RangeCall) -> Interval:
    return call.of("x")


@range_of(*_DEGREES)
def _angle(call: RangeCall) -> Interval:
    factor = _DEGREES[call.op.kind]
    return rising(call.of("x"), lambda x: x * factor, call.fmt)


@range_of("tan")
def _tangent(call: RangeCall) -> Interval:
    """Rising between its poles."""
    x = call.of("x")
    inside = -math.pi / 2 < x.low.value and x.high.value < math.pi / 2
    return rising(x, math.tan, call.fmt) if inside else UNKNOWN


@range_of("erfc")
def _complement(call: RangeCall) -> Interval:
    """Range of ``erfc``: decreasing from 2 to 0, which it reaches by underflow."""
    return rising(neg(call.of("x")), lambda x: math.erfc(-x), call.fmt)


@range_of("sinc")
def _sinc(call: RangeCall) -> Interval:
    return Interval(limit(-0.2173), limit(1.0))


@range_of("atan2")
def _direction(call: RangeCall) -> Interval:
    """An angle from -π to π."""
    most = call.fmt.above(math.pi)
    return Interval(limit(0.0 if call.of("x").low.value > 0 else -most), limit(most))


@range_of("xlogy")
def _times_logarithm(call: RangeCall) -> Interval:
    """Not positive for numbers and probabilities."""
    x, y = call.of("x"), call.of("y")
    return Interval(limit(-math.inf), limit(0.0)) if x.low.value >= 0 and y.low.value >= 0 and y.high.value <= 1 else UNKNOWN


@range_of("addcmul")
def _added_product(call: RangeCall) -> Interval:
    scaled = mul(operand(call, "tensor1"), operand(call, "tensor2"), call.fmt)
    return _added(call, mul(scaled, _value(call), call.fmt))


@range_of("addcdiv")
def _added_quotient(call: RangeCall) -> Interval:
    scaled = div(mul(operand(call, "tensor1"), _value(call), call.fmt), operand(call, "tensor2"), call.fmt)
    return _added(call, scaled)


def _value(call: RangeCall) -> Interval:
    return exactly(1) if call.arg("value") is None else operand(call, "value")


def _added(call: RangeCall, scaled: Interval) -> Interval:
    """A sum that a library may round in another order: a little wider."""
    return rising(add(operand(call, "x"), scaled, call.fmt), lambda x: x, call.fmt)


@range_of("nan_to_num")
def _without_nan(call: RangeCall) -> Interval:
    """What is not a number becomes one (0), what is infinite the largest one, unless others are named."""
    x, largest = call.of("x"), call.fmt.largest
    replaced = exactly(0) if call.arg("nan") is None else operand(call, "nan")
    ends = (_named(call, "neginf", -largest), _named(call, "posinf", largest))
    found = minimum(maximum(x, exactly(-largest)), exactly(largest))
    for end, reached in zip(ends, (math.isinf(x.low.value), math.isinf(x.high.value)), strict=True):
        found = found.join(end) if reached else found
    return found.join(unreached(replaced))


def _named(call: RangeCall, name: str, default: float) -> Interval:
    return unreached(exactly(default) if call.arg(name) is None else operand(call, name))


@range_of("threshold")
def _threshold(call: RangeCall) -> Interval:
    """Elements, or a number in place of those that do not exceed the threshold."""
    return call.of("x").join(placed(call, "value")) if call.arg("value") is not None else UNKNOWN


@range_of("tanhshrink")
def _tanhshrink(call: RangeCall) -> Interval:
    """Not larger than the argument, and of its sign."""
    return _shrunk(call.of("x"))


@range_of("softshrink", "hardshrink")
def _shrink(call: RangeCall) -> Interval:
    """Elements moved towards 0, or 0."""
    return _shrunk(call.of("x"))


def _shrunk(x: Interval) -> Interval:
    found = x.join(exactly(0))
    return Interval(Bound(found.low.value, x.low.origin), Bound(found.high.value, x.high.origin))


@range_of("glu")
def _gated(call: RangeCall) -> Interval:
    """Range of GLU: half of the elements, each multiplied by a number from 0 to 1."""
    return _shrunk(call.of("x"))


@range_of("rescale")
def _rescaled(call: RangeCall) -> Interval:
    """``x * scale + offset`` (keras.layers.Rescaling); otherwise by numbers that data has taught."""
    scale, offset = call.arg("scale"), call.arg("offset")
    if not isinstance(scale, (int, float)) or not isinstance(offset, (int, float, NoneType)):
        return UNKNOWN
    scaled = mul(call.of("x"), operand(call, "scale"), call.fmt)
    return scaled if offset is None else add(scaled, operand(call, "offset"), call.fmt)


@range_of("fmod")
def _rest(call: RangeCall) -> Interval:
    """Of the dividend's sign, not larger than it nor than the divisor."""
    most = absolute(operand(call, "y")).high.value
    return unreached(_shrunk(minimum(maximum(operand(call, "x"), exactly(-most)), exactly(most))))
