"""Ranges of pooling by means and of resampling."""

from __future__ import annotations

import math
from typing import Final

from dllint.domains.interval import UNKNOWN, Bound, Interval, Origin, exactly
from dllint.domains.interval_arithmetic import absolute, add, mul, sub
from dllint.ir.values import Value
from dllint.ops.operand import is_axis_list
from dllint.ops.ranges.rounding import averaged, mixed, roundoff, widened
from dllint.ops.ranges.spec import RangeCall, limit, range_of


@range_of("adaptive_avg_pool", "global_avg_pool")
def _mean_of_window(call: RangeCall) -> Interval:
    return averaged(call.of("x"), None, call.fmt)


@range_of("avg_pool")
def _mean_of_padded_window(call: RangeCall) -> Interval:
    """Zeros of the padding count, unless there is none. A divisor of one's own gives another multiple of the sum."""
    if call.arg("divisor_override") is not None:
        return UNKNOWN
    x = call.of("x")
    padded = x if call.arg("padding") in (None, 0, "valid", "VALID") else x.join(exactly(0))
    return averaged(padded, _window(call), call.fmt)


def _window(call: RangeCall) -> int | None:
    """The number of elements in a window."""
    size, axes = call.arg("kernel_size"), call.arg("spatial")
    if isinstance(size, int) and isinstance(axes, int):
        return int(size**axes)
    return math.prod(size) if is_axis_list(size) else None


@range_of("lp_pool")
def _power_mean(call: RangeCall) -> Interval:
    """Nothing is known above; of odd orders it may be no number, but for a sum and the inverse of a sum of inverses, which are
    those of negative numbers, too."""
    order = call.arg("norm_type")
    if call.of("x").low.value < 0 and (not isinstance(order, (int, float)) or abs(order) == 1):
        return UNKNOWN
    return Interval(Bound(0.0, Origin.UNKNOWN), UNKNOWN.high)


#: Ways to resample that take elements, those that mix them with weights that add up to 1, and those that go beyond them: by
#: this part of the distance of the extremes on each side (cubic weights per axis are at least -0.14 in all, squared for two).
_TAKING: Final = frozenset({"nearest", "nearest-exact", "nearest_exact", "area_nearest"})
_MIXING: Final = frozenset({"linear", "bilinear", "trilinear", "area", "box", "triangle"})
_CUBIC: Final = frozenset({"bicubic", "cubic"})
_OVERSHOOT: Final = 0.75


@range_of("interpolate", "resize_image", "grid_sample")
def _resampled(call: RangeCall) -> Interval:
    x, mode = call.of("x"), _mode(call)
    if call.op.kind == "grid_sample" and call.arg("padding_mode") in (None, "zeros"):
        x = x.join(exactly(0))
    if call.arg("padded") is True:
        x = x.join(exactly(0))
    if mode in _TAKING:
        return x
    if mode in _MIXING:
        return mixed(widened(x, roundoff(None, call.fmt) + 2 * _step(call), call.fmt))
    return _beyond(x, call) if mode in _CUBIC else UNKNOWN


def _mode(call: RangeCall) -> Value:
    """The interpolation mode, whose default depends on the library."""
    named = call.arg("mode") if call.arg("mode") is not None else call.arg("interpolation")
    if named is None and call.op.framework == "torch":
        return "bilinear" if call.op.kind == "grid_sample" else "nearest"
    return named.lower() if isinstance(named, str) else named


def _beyond(x: Interval, call: RangeCall) -> Interval:
    margin = mul(sub(x, x, call.fmt), exactly(_OVERSHOOT), call.fmt)
    found = add(x, margin, call.fmt)
    size = absolute(found).high.value
    wide = size * roundoff(None, call.fmt)
    return Interval(limit(found.low.value - wide), limit(found.high.value + wide))


def _step(call: RangeCall) -> float:
    return 2.0 ** (1 - call.fmt.precision)
