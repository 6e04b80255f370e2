"""Ranges of gradients that the program computes explicitly."""

from __future__ import annotations

from dllint.domains.interval import Interval, Origin, unbounded
from dllint.ops.ranges.spec import RangeCall, range_of


@range_of("gradient")
def _gradient(call: RangeCall) -> Interval:
    """Unbounded, 0 included, as soon as trained weights take part."""
    return unbounded(Origin.TRAINED)
