"""Weights of the two operators beside one another."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from dllint.bisection.suspicions import linear, non_finite, order
from dllint.bisection.suspicions.evidence import Evidence, error

#: Weights closer than this are the same.
_SAME = 1e-4


def weights(given: Evidence) -> str | None:
    """The first weight that is not the reference's, and how it came from it."""
    for ours, theirs in given.weights:
        if ours.shape == theirs.shape and error(theirs, ours) >= _SAME:
            pair = Evidence(ours, theirs)
            reason = next((reason for hypothesis in _HYPOTHESES if (reason := hypothesis(pair)) is not None), None)
            return f"weights, {reason}" if reason else f"weights: they differ by {error(theirs, ours):.2g} of their size"
    return None


def _transposed(given: Evidence) -> str | None:
    square = given.expected.ndim == 2 and given.same_shape
    return "layout: transposed" if square and np.array_equal(given.found, given.expected.T) else None


_HYPOTHESES: Final = (
    _transposed,
    linear.sign,
    linear.scale,
    partial(order.channel_order, first=0),
    non_finite.saturation,
    linear.offset,
    partial(linear.per_channel, first=0),
)
