"""All suspicions, the most telling first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from dllint.bisection.suspicions import linear, non_finite, normal, order, rounding, settings, weights, zeros
from dllint.bisection.suspicions.evidence import Evidence

#: Says in a few words what may be wrong, or nothing.
Suspicion: TypeAlias = Callable[[Evidence], str | None]

SUSPICIONS: Final[tuple[Suspicion, ...]] = (
    non_finite.overflow,
    settings.differing,
    weights.weights,
    linear.sign,
    normal.softmax_axis,
    linear.scale,
    order.transposition,
    order.channel_order,
    zeros.inverted_mask,
    zeros.dropout,
    order.shift,
    order.border,
    normal.normalised_axis,
    linear.offset,
    normal.epsilon,
    linear.per_channel,
    non_finite.saturation,
    rounding.grid,
    rounding.precision,
)


def suspected(given: Evidence) -> str:
    """The text of the first suspicion that holds; empty if none does."""
    return next((reason for suspicion in SUSPICIONS if (reason := suspicion(given)) is not None), "")
