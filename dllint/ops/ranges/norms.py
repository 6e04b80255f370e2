"""Ranges of normalisations: without trained factors, n numbers of mean 0 and variance 1 are at most the square root of n."""

from __future__ import annotations

import math
from typing import Final

from dllint.domains.finite import finite
from dllint.domains.interval import UNKNOWN, Interval, Origin, exactly, unbounded
from dllint.domains.interval_arithmetic import absolute, add, div, mul, rising, sub
from dllint.domains.shape import Shape
from dllint.ir.program import TensorVal
from dllint.ops.kinds import does
from dllint.ops.ranges.products import trained
from dllint.ops.ranges.rounding import roundoff
from dllint.ops.ranges.spec import RangeCall, limit, range_of
from dllint.ops.sizes import whole_numbers
from dllint.ops.traits import Trait

_EPSILON: Final = 1e-5


@range_of("batch_norm", "layer_norm", "group_norm", "instance_norm", "rms_norm")
def _normalised(call: RangeCall) -> Interval:
    if call.index:
        return UNKNOWN
    if _is_plain(call):
        return _standardised(call)
    if call.op.layer is not None or trained(call.ranges(call.arg("weight"))):
        return unbounded(Origin.TRAINED)
    if not isinstance(call.arg("weight"), TensorVal):
        return UNKNOWN
    found = _by_kept_statistics(call) if does(call.op, Trait.SCALES) else _standardised(call)
    scaled = mul(found, call.of("weight"), call.fmt)
    return add(scaled, call.of("bias"), call.fmt) if isinstance(call.arg("bias"), TensorVal) else scaled


def _by_kept_statistics(call: RangeCall) -> Interval:
    """Normalisation by given means and variances, as in evaluation mode."""
    if call.arg("training") or not all(isinstance(call.arg(name), TensorVal) for name in ("running_mean", "running_var")):
        return UNKNOWN
    epsilon = call.arg("eps")
    variance = add(call.of("running_var"), exactly(epsilon if isinstance(epsilon, float) else _EPSILON), call.fmt)
    if variance.low.value < 0:
        return UNKNOWN
    return div(sub(call.of("x"), call.of("running_mean"), call.fmt), rising(variance, math.sqrt, call.fmt), call.fmt)


#: Arguments that say whether a layer has trained factors.
_FACTORS: Final = ("affine", "elementwise_affine", "scale", "center")


def _is_plain(call: RangeCall) -> bool:
    """Whether there are no trained factors."""
    switches = [call.arg(name) for name in _FACTORS if name in call.op.args]
    if any(isinstance(value, TensorVal) for value in (call.arg("weight"), call.arg("bias"))):
        return False
    if call.op.layer is None:
        return call.op.framework == "torch" and all(value in (None, False) for value in switches)
    return bool(switches) and all(value is False for value in switches)


def _standardised(call: RangeCall) -> Interval:
    """Range of standardised numbers. Rounding of the mean moves numbers of small variance by up to what the epsilon in the
    denominator allows."""
    count, size = _group(call), absolute(call.of("x")).high.value
    epsilon = call.arg("eps") if call.arg("eps") is not None else _EPSILON
    if count is None or not math.isfinite(size) or (epsilon := finite(epsilon)) is None or epsilon <= 0:
        return UNKNOWN
    error = roundoff(None, call.fmt) if _is_in_single(call) else 2.0**-call.fmt.precision + roundoff(None, call.fmt)
    most = call.fmt.above(math.sqrt(count) * (1 + error) + size * error / math.sqrt(epsilon))
    return Interval(limit(-most), limit(most))


def _is_in_single(call: RangeCall) -> bool:
    """Whether means are kept in single precision at least; others may be rounded to the type of the operand."""
    return does(call.op, Trait.TRAILING_AXES)


def _group(call: RangeCall) -> int | None:
    """How many numbers share a mean. A batch normalisation that has kept means from before does not use them."""
    x = call.arg("x")
    shape = x.shape if isinstance(x, TensorVal) else None
    if not isinstance(shape, tuple) or does(call.op, Trait.SCALES):
        return None
    sizes = whole_numbers(_normalised_sizes(call, shape))
    return math.prod(sizes) if sizes else None


def _normalised_sizes(call: RangeCall, shape: Shape) -> Shape:
    if does(call.op, Trait.TRAILING_AXES):
        wanted = call.arg("normalized_shape")
        axes = len(wanted) if isinstance(wanted, tuple) else 1
        return shape[-axes:] if call.op.framework == "torch" else ()
    return shape[2:] if call.op.kind == "instance_norm" else shape[1:]
