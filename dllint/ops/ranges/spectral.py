"""Ranges beside Fourier transforms: frames and angles."""

from __future__ import annotations

import math

from dllint.domains.interval import UNKNOWN, Interval, between, exactly
from dllint.ops.ranges.spec import RangeCall, range_of


@range_of("angle")
def _angle(call: RangeCall) -> Interval:
    """Rounded to half precision, pi lies above its limit."""
    return between(-math.pi - 0.01, math.pi + 0.01)


@range_of("frames")
def _frames(call: RangeCall) -> Interval:
    """The numbers of the operand; the last frames may be filled up, with zeros unless another number is given."""
    found = call.of("x")
    if call.arg("pad_end", False) is False:
        return found
    return found.join(exactly(0)) if call.arg("pad_value", 0) in (None, 0) else UNKNOWN
