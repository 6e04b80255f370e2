"""Numbers that are none, and what made them."""

from __future__ import annotations

import numpy as np

from dllint.bisection.suspicions.evidence import Evidence

#: The largest number of half precision.
HALF_MAX = 65504.0


def overflow(given: Evidence) -> str | None:
    """Infinite or undefined where the reference is finite; in half precision above its largest number."""
    if not given.same_shape:
        return None
    lost = np.isfinite(given.expected) & ~np.isfinite(given.found)
    if not lost.any():
        return None
    share = f"{lost.mean():.1%} of its values are not finite"
    largest = float(np.abs(given.expected[lost]).max())
    if largest > HALF_MAX:
        return f"overflow of half precision: {share}, the reference reaches {largest:.3g} there"
    return f"overflow: {share}, where the reference's are"


def saturation(given: Evidence) -> str | None:
    """Equal inside of some bounds, constant beyond them: a scale or a type that is too small."""
    if not given.finite or given.found.size < 16:
        return None
    low, high = float(given.found.min()), float(given.found.max())
    cut = (given.expected < low) | (given.expected > high)
    if not cut.any() or not given.explains(np.clip(given.expected, low, high)):
        return None
    return f"clipping: {cut.mean():.1%} of the reference's values lie outside {low:.4g} to {high:.4g}"
