"""Ranges of gradients that the program asks for."""

from __future__ import annotations

from dllint.domains.interval import Interval, Origin, unbounded
from dllint.ops.ranges.spec import RangeCall, range_of


@range_of("gradient")
def _gradient(call: RangeCall) -> Interval:
    """Anything, 0 included, once what lies in between is trained."""
    return unbounded(Origin.TRAINED)
