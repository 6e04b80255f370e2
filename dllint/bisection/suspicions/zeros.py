"""Values that are zero where they should not be."""

from __future__ import annotations

import numpy as np

from dllint.bisection.suspicions.evidence import Evidence

_FEW, _MOST = 0.02, 0.98


def dropout(given: Evidence) -> str | None:
    """Elements missing here and there, the others larger: dropout that is still active."""
    lost = _lost(given)
    if lost is None or not _FEW < lost.mean() < _MOST:
        return None
    kept = ~lost & (given.expected != 0)
    ratios = given.found[kept] / given.expected[kept]
    factor = float(np.median(ratios)) if ratios.size else 1.0
    if not given.explains(np.where(lost, 0.0, factor * given.expected)):
        return None
    if abs(factor * (1 - lost.mean()) - 1) < 0.1 and factor > 1.01:
        return f"dropout: {lost.mean():.0%} of the values are 0 and the others {factor:.3g} times as large"
    return f"mask: {lost.mean():.0%} of the values are 0 which are not in the reference"


def inverted_mask(given: Evidence) -> str | None:
    """Zero exactly where the reference is not."""
    if not given.finite:
        return None
    ours, theirs = np.abs(given.expected) < 1e-6, np.abs(given.found) < 1e-6
    if not _FEW < ours.mean() < _MOST or not _FEW < theirs.mean() < _MOST:
        return None
    return "mask: inverted, zero where the reference is not" if (ours != theirs).mean() > 0.95 else None


def _lost(given: Evidence) -> np.ndarray | None:
    if not given.finite:
        return None
    lost: np.ndarray = (given.found == 0) & (np.abs(given.expected) > 1e-6 * (np.abs(given.expected).max() or 1.0))
    return lost
