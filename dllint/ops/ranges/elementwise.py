"""Ranges of functions of one tensor."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from dllint.domains.dtype import DType
from dllint.domains.floating import BINARY32
from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, between, exactly
from dllint.domains.interval_arithmetic import absolute, div, mul, neg, rising, stepped
from dllint.ir.program import TensorVal
from dllint.ops.ranges.borders import POLE, ROOT, Border, steep
from dllint.ops.ranges.rounding import widened
from dllint.ops.ranges.spec import RangeCall, in_format, is_whole, range_of, stored

Function = Callable[[float], float]


def exp(x: float) -> float:
    """e to the power of x; infinite beyond the largest double."""
    return math.exp(x) if x < 709.8 else math.inf


def _log(x: float) -> float:
    return -math.inf if x <= 0 else math.log(x)


def _expm1(x: float) -> float:
    return math.expm1(x) if x < 709.8 else math.inf


def _sinh(x: float) -> float:
    return math.sinh(x) if abs(x) < 710 else math.copysign(math.inf, x)


def _whole(function: Callable[[float], int]) -> Function:
    return lambda x: float(function(x)) if math.isfinite(x) else x


#: Half of pi in single precision, which is rounded up.
_QUARTER_TURN: Final = 1.5707963705062866


def from_end(x: Interval, end: float) -> Interval:
    """A range without the numbers below ``end``, the lower end of a function's domain."""
    return Interval(Bound(end, x.low.origin), x.high, x.nonzero) if x.low.value < end <= x.high.value else x


def _rising(name: str, function: Function) -> None:
    @range_of(name)
    def transfer(call: RangeCall) -> Interval:
        return rising(call.of("x"), function, call.fmt)


def _stepped(name: str, function: Function) -> None:
    @range_of(name)
    def transfer(call: RangeCall) -> Interval:
        return stepped(call.of("x"), function)


def _bounded(name: str, function: Function, low: float, high: float) -> None:
    """A function with limits, which floating-point numbers reach."""

    @range_of(name)
    def transfer(call: RangeCall) -> Interval:
        return saturating(call.of("x"), function, low, high, call)


def saturating(x: Interval, function: Function, low: float, high: float, call: RangeCall) -> Interval:
    """The range of a rising function with limits; where the argument may be anything, it reaches them."""
    found = rising(x, function, call.fmt)
    below = Bound(low) if math.isinf(x.low.value) else found.low
    above = Bound(high) if math.isinf(x.high.value) else found.high
    return Interval(below, above)


_rising("exp", exp)
_rising("expm1", _expm1)
_rising("log", _log)
_rising("log1p", lambda x: _log(1 + x) if abs(x) > 1e-8 else x)
_rising("log2", lambda x: _log(x) / math.log(2))
_rising("log10", lambda x: _log(x) / math.log(10))
_rising("sinh", _sinh)
_rising("asinh", lambda x: math.asinh(x) if math.isfinite(x) else x)
_rising("asin", lambda x: math.asin(min(max(x, -1.0), 1.0)))
_stepped("floor", _whole(math.floor))
_stepped("ceil", _whole(math.ceil))
_stepped("trunc", _whole(math.trunc))
_bounded("tanh", math.tanh, -1, 1)
_bounded("erf", math.erf, -1, 1)
_bounded("atan", math.atan, -_QUARTER_TURN, _QUARTER_TURN)

_ARC: Final = (Border(-1, value=True), Border(1, value=True))
steep("log", POLE, domain=(0, math.inf))
steep("log1p", Border(-1), domain=(-1, math.inf))
steep("log2", POLE, domain=(0, math.inf))
steep("log10", POLE, domain=(0, math.inf))
steep("sqrt", ROOT, domain=(0, math.inf))
steep("rsqrt", POLE, domain=(0, math.inf))
steep("reciprocal", POLE)
steep("asin", *_ARC, domain=(-1, 1))
steep("acos", *_ARC, domain=(-1, 1))


@range_of("sqrt")
def _root(call: RangeCall) -> Interval:
    return _root_of(call.of("x"), call)


def _root_of(x: Interval, call: RangeCall) -> Interval:
    return rising(from_end(x, 0.0), lambda x: math.sqrt(x) if x > 0 else 0.0, call.fmt)


@range_of("neg")
def _negated(call: RangeCall) -> Interval:
    return neg(call.of("x"))


@range_of("abs")
def _magnitude(call: RangeCall) -> Interval:
    return absolute(call.of("x"))


@range_of("square")
def _square(call: RangeCall) -> Interval:
    return squared(call.of("x"), call)


def squared(x: Interval, call: RangeCall) -> Interval:
    """``x * x``, which is nowhere negative. Small numbers may underflow to 0, which is not known of any."""
    if call.integer and x == UNKNOWN:  # any whole number: its square may be too large
        return UNKNOWN
    size = absolute(x)
    found = mul(size, size, call.fmt)
    return Interval(Bound(0.0, Origin.UNKNOWN), found.high) if size.low.value == 0 and not size.has_zero else found


@range_of("sin", "cos")
def _wave(call: RangeCall) -> Interval:
    """Range of a periodic function: its values at both ends, and the extremes between them."""
    x, shift = call.of("x"), math.pi / 2 if call.op.kind == "sin" else 0.0
    low, high = x.low.value - shift, x.high.value - shift
    if not high - low < 2 * math.pi:
        return between(-1, 1, x.origin)
    wave = math.sin if call.op.kind == "sin" else math.cos
    ends = (wave(x.low.value), wave(x.high.value))
    peak, trough = (math.floor((high - at) / _TURN) > math.ceil((low - at) / _TURN) - 1 for at in (0.0, math.pi))
    lowest, highest = -1.0 if trough else min(ends), 1.0 if peak else max(ends)
    return Interval(Bound(max(-1.0, call.fmt.below(lowest)), x.origin), Bound(min(1.0, call.fmt.above(highest)), x.origin))


_TURN: Final = 2 * math.pi


@range_of("acos")
def _arccosine(call: RangeCall) -> Interval:
    """Falls from π to 0."""
    return rising(neg(call.of("x")), lambda x: math.acos(-min(max(x, -1.0), 1.0)), call.fmt)


@range_of("round")
def _rounded_to_places(call: RangeCall) -> Interval:
    places = call.arg("decimals")
    if places in (None, 0):
        return stepped(call.of("x"), _whole(round))
    if not isinstance(places, int):
        return UNKNOWN
    found = rising(call.of("x"), lambda x: round(x, places), call.fmt)
    return Interval(Bound(found.low.value, found.low.origin), Bound(found.high.value, found.high.origin))


@range_of("cosh")
def _cosh(call: RangeCall) -> Interval:
    return rising(absolute(call.of("x")), lambda x: math.cosh(x) if abs(x) < 710 else math.inf, call.fmt)


@range_of("sign")
def _sign(call: RangeCall) -> Interval:
    x = call.of("x")
    low, high = (-1 if x.low.value < 0 else 1 if x.low.value > 0 else 0), (1 if x.high.value > 0 else 0)
    return Interval(Bound(low, x.low.origin), Bound(max(low, high), x.high.origin), not x.has_zero)


@range_of("reciprocal")
def _reciprocal(call: RangeCall) -> Interval:
    """TensorFlow's is an approximation."""
    found = div(exactly(1), call.of("x"), call.fmt)
    return widened(found, 2.0 ** (2 - call.fmt.precision), call.fmt) if call.op.framework == "tensorflow" else found


@range_of("rsqrt")
def _reciprocal_root(call: RangeCall) -> Interval:
    return div(exactly(1), _root_of(call.of("x"), call), call.fmt)


@range_of("isnan", "isinf", "isfinite", "logical_not", "signbit", "eq", "ne", "lt", "le", "gt", "ge", "logical_and",
          "logical_or", "logical_xor", "isclose", "all", "any", "one_hot", "eye", "bernoulli")  # fmt: skip
def _truth(call: RangeCall) -> Interval:
    return between(0, 1)


@range_of("cast")
def _cast(call: RangeCall) -> Interval:
    """Whole numbers of which it is not known what they become may become ones of 8 bits. A number is made a tensor first, for
    which some libraries take single precision."""
    x, found = call.arg("x"), call.of("x")
    if not isinstance(x, TensorVal):
        found = found.join(in_format(found, x, BINARY32, call.op.framework))
    found = stored(found, x, call)
    if isinstance(call.op.outputs[call.index].dtype, DType) or not isinstance(x, TensorVal) or not is_whole(x.dtype):
        return found
    return found if found.within(between(0, 127)) else UNKNOWN
