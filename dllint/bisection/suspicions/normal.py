"""Operators that make an axis sum to 1, or have mean 0: which axis do the values tell?"""

from __future__ import annotations

import numpy as np

from dllint.bisection.suspicions.evidence import Evidence
from dllint.bisection.suspicions.linear import fitted


def softmax_axis(given: Evidence) -> str | None:
    """The values sum to 1 over another axis than the reference's."""
    if not given.same_shape or not np.isfinite(given.found).all() or not np.isfinite(given.expected).all():
        return None
    ours, theirs = _axes_of_ones(given.expected), _axes_of_ones(given.found)
    if not ours or not theirs or ours & theirs:
        return None
    return f"axis: the values sum to 1 over axis {min(theirs)}, the reference's over axis {min(ours)}"


def normalised_axis(given: Evidence) -> str | None:
    """Mean and spread are even over another axis than the reference's."""
    if "norm" not in given.kind or not given.finite:
        return None
    ours, theirs = _even(given.expected), _even(given.found)
    if not ours or not theirs or ours & theirs:
        return None
    return f"axis: normalised over axis {min(theirs)}, the reference over axis {min(ours)}"


def epsilon(given: Evidence) -> str | None:
    """A normalisation whose rows are shrunk, those of small spread the most: a larger epsilon (or stretched: a smaller one)."""
    if "norm" not in given.kind or not given.finite or given.expected.ndim < 2:
        return None
    slope, constant = fitted(given.expected, given.found, (given.expected.ndim - 1,))
    close = Evidence(given.expected, given.found).explains(slope * given.expected + constant)
    if not close or (np.ptp(slope) < 1e-3 and abs(slope.mean() - 1) < 1e-3):
        return None
    size = "larger" if slope.mean() < 1 else "smaller"
    return f"epsilon: each row is {slope.min():.3g} to {slope.max():.3g} times the reference's, as by a {size} epsilon"


def _axes_of_ones(array: np.ndarray) -> set[int]:
    if array.min(initial=0.0) < -1e-3:
        return set()
    return {axis for axis in range(array.ndim) if array.shape[axis] > 1 and np.abs(array.sum(axis) - 1).max() < 1e-2}


def _even(array: np.ndarray) -> set[int]:
    axes = [axis for axis in range(1, array.ndim) if array.shape[axis] > 2]
    return {axis for axis in axes if np.abs(array.mean(axis)).max() < 0.05 and np.ptp(array.std(axis)) < 0.1}
