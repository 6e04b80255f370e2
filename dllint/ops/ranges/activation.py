"""Ranges of activation functions."""

from __future__ import annotations

import math
from typing import Any, Final

from dllint.domains.interval import Bound, Interval, Origin, between, exactly
from dllint.domains.interval_arithmetic import maximum, minimum, mul, rising
from dllint.domains.shape import normalize_axis
from dllint.ir.program import TensorVal
from dllint.ops.ranges.elementwise import exp, saturating
from dllint.ops.ranges.spec import RangeCall, range_of


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
    """Underflows to 0 where its argument is far below 0."""
    x = call.of("x")
    found = rising(x, _softplus, call.fmt)
    return Interval(Bound(0.0), found.high) if math.isinf(x.low.value) else found


@range_of("softmax", "softmin")
def _probabilities(call: RangeCall) -> Interval:
    """Underflow makes 0 of probabilities that are small beside others, unless the scores lie close together."""
    x, count = call.of("x"), axis_size(call.arg("x"), call.arg("dim"))
    spread = x.high.value - x.low.value
    if count is None or not math.isfinite(spread):
        return between(0, 1)
    least = call.fmt.flushed(call.fmt.below(exp(-spread) / count))
    return Interval(Bound(least, x.origin), Bound(1.0, x.origin))


def axis_size(value: Any, dim: Any) -> int | None:
    """The number of elements along an axis, if it is known."""
    if not isinstance(value, TensorVal) or not isinstance(value.shape, tuple):
        return None
    axis = normalize_axis(dim if isinstance(dim, int) else -1, len(value.shape))
    size = value.shape[axis] if axis is not None else None
    return size if isinstance(size, int) else None


@range_of("gumbel_softmax")
def _sampled_probabilities(call: RangeCall) -> Interval:
    return between(0, 1)


@range_of("log_softmax", "logsigmoid")
def _log_probabilities(call: RangeCall) -> Interval:
    return Interval(Bound(-math.inf, max(Origin.TRAINED, call.of("x").origin)), Bound(0.0))


@range_of("relu")
def _rectifier(call: RangeCall) -> Interval:
    return maximum(call.of("x"), exactly(0))


@range_of("relu6")
def _rectifier_to_6(call: RangeCall) -> Interval:
    return minimum(maximum(call.of("x"), exactly(0)), exactly(6))


@range_of("hardtanh")
def _hard_tanh(call: RangeCall) -> Interval:
    low, high = call.op.args.get("min_val", -1.0), call.op.args.get("max_val", 1.0)
    return minimum(maximum(call.of("x"), call.ranges(low)), call.ranges(high))


@range_of("softsign")
def _softsign(call: RangeCall) -> Interval:
    return between(-1, 1)


#: Activations that keep what is above 0 and leave little of what is below: the least value of each.
_LEAST: Final = {
    "elu": -1.0,
    "celu": -1.0,
    "selu": -1.7581,
    "gelu": -0.17,
    "silu": -0.2785,
    "mish": -0.3089,
    "hardswish": -0.375,
}


@range_of(*_LEAST)
def _smooth_rectifier(call: RangeCall) -> Interval:
    x = call.of("x")
    if "alpha" in call.op.args and call.op.args["alpha"] != 1:
        return Interval(Bound(-math.inf, Origin.UNKNOWN), maximum(x, exactly(0)).high)
    low = exactly(_LEAST[call.op.kind])
    return Interval(low.low if x.low.value < 0 else Bound(0.0, Origin.UNKNOWN), maximum(x, exactly(0)).high)


@range_of("leaky_relu", "prelu")
def _leaky(call: RangeCall) -> Interval:
    """Keeps the sign, and at most the size, of what is below 0 (a trained slope may do anything)."""
    x = call.of("x")
    if x.low.value >= 0:
        return x
    return Interval(x.low, x.high if x.high.value >= 0 else Bound(0.0, Origin.UNKNOWN))


@range_of("dropout")
def _dropout(call: RangeCall) -> Interval:
    """Elements become 0, and the others grow."""
    x, p = call.of("x"), call.op.args.get("p", 0.5)
    if call.arg("training") is False or p == 0:
        return x
    scale = exactly(1 / (1 - p)) if isinstance(p, int | float) and 0 <= p < 1 else between(1, math.inf, Origin.UNKNOWN)
    return mul(x, scale, call.fmt).join(exactly(0)).join(x)


@range_of("normalize")
def _unit_length(call: RangeCall) -> Interval:
    """A vector of length 1, or the zero vector."""
    x = call.of("x")
    found = between(-1, 1, Origin.UNKNOWN)
    return Interval(Bound(0.0, Origin.UNKNOWN), found.high) if x.low.value >= 0 else found
