"""Ranges of activation functions."""

from __future__ import annotations

import math
from typing import Final

from dllint.domains.dtype import DType
from dllint.domains.finite import as_float
from dllint.domains.floating import BINARY32
from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, between, exactly, unbounded
from dllint.domains.interval_arithmetic import add, maximum, minimum, mul, rising
from dllint.domains.shape import normalize_axis
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.ops.ranges.elementwise import exp, saturating
from dllint.ops.ranges.rounding import widened
from dllint.ops.ranges.spec import RangeCall, is_float, range_of


def _sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x)) if x > -700 else 0.0


def _softplus(x: float) -> float:
    return x if x > 700 else math.log1p(exp(x))


@range_of("sigmoid")
def _logistic(call: RangeCall) -> Interval:
    return saturating(call.of("x"), _sigmoid, 0, 1, call)


@range_of("hardsigmoid")
def _hard_logistic(call: RangeCall) -> Interval:
    return between(0, 1)


@range_of("softplus")
def _soft_rectifier(call: RangeCall) -> Interval:
    """Range of softplus: it underflows to 0 for very negative arguments, and is linear above a threshold."""
    x, sharpness = call.of("x"), call.arg("beta")
    if sharpness is not None and not (isinstance(sharpness, (int, float)) and sharpness > 0):
        return Interval(Bound(0.0, Origin.UNKNOWN), UNKNOWN.high)
    beta = as_float(sharpness or 1)
    scaled = x if beta == 1 else mul(x, exactly(beta), call.fmt)
    found = rising(scaled, lambda v: _softplus(v) / beta, call.fmt)
    if call.arg("threshold") not in (None, 20):
        return Interval(Bound(0.0 if x.low.value >= 0 else -math.inf, Origin.UNKNOWN), found.high)
    return Interval(Bound(0.0), found.high) if math.isinf(x.low.value) else found


@range_of("softmin")
def _probabilities_of_negated(call: RangeCall) -> Interval:
    """Integers are negated as such, and wrap around, before they become floats."""
    x = call.arg("x")
    dtype = x.dtype if isinstance(x, TensorVal) else None
    return _probabilities(call) if isinstance(dtype, DType) and dtype.kind == "float" else between(0, 1)


@range_of("softmax")
def _probabilities(call: RangeCall) -> Interval:
    """Range of softmax: small probabilities underflow to 0 unless the scores lie close together."""
    dim = call.arg("dim")
    x, count = call.of("x"), None if isinstance(dim, tuple) else axis_size(call.arg("x"), dim)
    spread = x.high.value - x.low.value
    if not count or not math.isfinite(spread):
        return between(0, 1)
    least = call.fmt.flushed(call.fmt.below(exp(-spread) / count))
    return Interval(Bound(least, x.origin), Bound(1.0, x.origin))


def axis_size(value: Value, dim: Value) -> int | None:
    """The number of elements along an axis, if it is known."""
    if not isinstance(value, TensorVal) or not isinstance(value.shape, tuple):
        return None
    if not value.shape:
        return 1
    axis = normalize_axis(dim if isinstance(dim, int) else -1, len(value.shape))
    size = value.shape[axis] if axis is not None else None
    return size if isinstance(size, int) else None


@range_of("gumbel_softmax")
def _sampled_probabilities(call: RangeCall) -> Interval:
    return between(0, 1)


@range_of("log_softmax", "logsigmoid")
def _log_probabilities(call: RangeCall) -> Interval:
    x = call.of("x")
    return Interval(Bound(_least_log_probability(call, x), max(Origin.TRAINED, x.origin)), Bound(0.0))


def _least_log_probability(call: RangeCall, x: Interval) -> float:
    if call.op.kind == "logsigmoid":
        return call.fmt.below(-_softplus(-x.low.value)) if math.isfinite(x.low.value) else x.low.value
    count, spread = axis_size(call.arg("x"), call.arg("dim")), x.high.value - x.low.value
    return call.fmt.below(-spread - math.log(count)) if count and math.isfinite(spread) else -math.inf


@range_of("relu")
def _rectifier(call: RangeCall) -> Interval:
    return maximum(call.of("x"), exactly(0))


@range_of("relu6")
def _rectifier_to_6(call: RangeCall) -> Interval:
    return minimum(maximum(call.of("x"), exactly(0)), exactly(6))


@range_of("hardtanh")
def _hard_tanh(call: RangeCall) -> Interval:
    low, high = call.arg("min_val", -1.0), call.arg("max_val", 1.0)
    return minimum(maximum(call.of("x"), call.ranges(low)), call.ranges(high))


@range_of("softsign")
def _softsign(call: RangeCall) -> Interval:
    return between(-1, 1)


#: Activations that keep what is above 0 and leave little of what is below: the least value of each.
_LEAST: Final = {
    "elu": -1.0,
    "celu": -1.0,
    "selu": -1.7581,
    "gelu": -0.1701,
    "silu": -0.2785,
    "mish": -0.3089,
    "hardswish": -0.375,
}


@range_of(*_LEAST)
def _smooth_rectifier(call: RangeCall) -> Interval:
    x = call.of("x")
    if call.arg("alpha", 1) != 1:
        return Interval(Bound(-math.inf, Origin.UNKNOWN), maximum(x, exactly(0)).high)
    high = maximum(x, exactly(0)).high
    if call.op.kind == "selu":
        high = Bound(call.fmt.above(high.value * _SELU_SCALE), high.origin)
    elif call.op.kind == "hardswish":  # x * 6 / 6
        high = Bound(call.fmt.above(high.value), high.origin) if high.value > 0 else high
    return Interval(Bound(call.fmt.below(_LEAST[call.op.kind])) if x.low.value < 0 else Bound(0.0, Origin.UNKNOWN), high)


_SELU_SCALE: Final = 1.0507009873554805


@range_of("leaky_relu", "prelu")
def _leaky(call: RangeCall) -> Interval:
    """Keeps positive numbers and multiplies negative ones by a slope (unbounded if trained or random)."""
    if "rrelu" in call.op.spelled.lower():
        return UNKNOWN
    x, slope = call.of("x"), _slope(call)
    if x.low.value >= 0:
        return x
    if slope is None:
        return UNKNOWN if call.op.layer is None else unbounded(Origin.TRAINED)
    below = mul(minimum(x, exactly(0)), slope, call.fmt)
    return below if x.high.value <= 0 else below.join(maximum(x, exactly(0)))


def _slope(call: RangeCall) -> Interval | None:
    """The slope below 0; ``None`` if it is trained or not known."""
    if call.op.kind == "prelu":
        found = call.of("weight") if call.arg("weight") is not None else None
        return found if found is not None and math.isfinite(found.low.value) and math.isfinite(found.high.value) else None
    given = [call.arg(name) for name in ("negative_slope", "alpha") if call.arg(name) is not None]
    if not given:
        return exactly(call.fmt.round(_USUAL_SLOPE)) if call.op.framework == "torch" else between(0, 1, Origin.UNKNOWN)
    return _rounded(call, as_float(given[0])) if isinstance(given[0], (int, float)) else None


def _rounded(call: RangeCall, slope: float) -> Interval:
    """A slope as the library multiplies by it: TensorFlow holds it in single precision, whatever the type of the tensor."""
    own, single = exactly(call.fmt.round(slope)), exactly(call.fmt.round(BINARY32.round(slope)))
    return own.join(single) if call.op.framework == "keras" else single if call.op.framework == "tensorflow" else own


_USUAL_SLOPE: Final = 0.01


@range_of("dropout")
def _dropout(call: RangeCall) -> Interval:
    """Elements become 0, and the others grow. With noise ``alpha`` they become one negative number, and what is added keeps
    mean and spread as they are; with ``normal`` they are multiplied by random numbers around 1."""
    x, p, noise = call.of("x"), call.arg("p", 0.5), call.arg("noise")
    if call.arg("training") is False or p == 0:
        return x
    if noise == "alpha" and isinstance(p, (int, float)) and 0 <= p < 1:
        return _alpha_dropped(x, p, call).join(x)
    if noise is not None:
        return UNKNOWN
    scale = exactly(1 / (1 - p)) if isinstance(p, (int, float)) and 0 <= p < 1 else between(1, math.inf, Origin.UNKNOWN)
    return widened(mul(x, scale, call.fmt), _ROUNDED, call.fmt).join(exactly(0)).join(x)


#: The scale of what is left is rounded, and a product with it.
_ROUNDED: Final = 2.0**-21


#: What alpha dropout puts in place of an element: the lower end of a SELU.
_ALPHA: Final = -1.7580993408473766


def _alpha_dropped(x: Interval, p: float, call: RangeCall) -> Interval:
    scale = ((1 - p) * (1 + p * _ALPHA**2)) ** -0.5
    kept = mul(x.join(exactly(_ALPHA)), exactly(scale), call.fmt)
    return widened(add(kept, exactly(-scale * p * _ALPHA), call.fmt), _ROUNDED, call.fmt)


@range_of("normalize")
def _unit_length(call: RangeCall) -> Interval:
    """A vector of length 1, or the zero vector; what is no norm (``p`` below 1) limits nothing. Except in torch, squares are of
    the operand's type: those of whole numbers wrap around, and those of half precision, and the least norm, fall to 0."""
    x, p, given = call.of("x"), call.arg("p", 2.0), call.arg("x")
    if not isinstance(p, (int, float)) or p < 1:
        return UNKNOWN
    floating = isinstance(given, TensorVal) and is_float(given.dtype)
    if call.op.framework != "torch" and (not floating or call.fmt.precision < BINARY32.precision):
        return UNKNOWN
    # TensorFlow and Keras multiply by the inverse of a root, which is rounded.
    most = 1.0 if call.op.framework == "torch" else call.fmt.above(1 + 2.0 ** (1 - call.fmt.precision))
    found = between(-most, most, Origin.UNKNOWN)
    return Interval(Bound(0.0, Origin.UNKNOWN), found.high) if x.low.value >= 0 else found
