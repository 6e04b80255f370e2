"""Values that are the reference's times, or plus, something."""

from __future__ import annotations

import numpy as np

from dllint.bisection.suspicions.evidence import Evidence

#: A factor closer to 1 than this is none.
_SLACK = 0.01


def sign(given: Evidence) -> str | None:
    """Turned around zero."""
    return "sign: the value is negated" if given.finite and given.explains(-given.expected) else None


def scale(given: Evidence) -> str | None:
    """One factor for all elements."""
    if not given.finite:
        return None
    first, second = _double(given.expected).ravel(), _double(given.found).ravel()
    factor = float(first @ second / (first @ first or 1.0))
    if abs(factor - 1) < _SLACK or not given.explains(factor * first.reshape(given.expected.shape)):
        return None
    return f"scale: the value is {factor:.4g} times the reference's"


def offset(given: Evidence) -> str | None:
    """One number added to all elements, beside a factor."""
    if not given.finite:
        return None
    slope, constant = fitted(given.expected, given.found, tuple(range(given.expected.ndim)))
    if not given.explains(slope * given.expected + constant):
        return None
    return f"scale and offset: the value is {float(slope.item()):.4g} times the reference's plus {float(constant.item()):.4g}"


def per_channel(given: Evidence, first: int = 1) -> str | None:
    """A factor and an offset for each index of one axis: statistics or an epsilon of a normalisation, scales of weights."""
    if not given.finite or given.expected.ndim < 2:
        return None
    for axis in range(first, given.expected.ndim):
        others = tuple(i for i in range(given.expected.ndim) if i != axis)
        if np.prod([given.expected.shape[i] for i in others]) < 8:
            continue
        slope, constant = fitted(given.expected, given.found, others)
        if given.explains(slope * given.expected + constant):
            cause = "statistics or epsilon" if "norm" in given.kind else "scales"
            return f"{cause}: each index of axis {axis} has a factor of its own ({slope.min():.3g} to {slope.max():.3g})"
    return None


def fitted(first: np.ndarray, second: np.ndarray, over: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Least squares of ``second = slope * first + constant`` over some axes, which stay as axes of length 1."""
    x, y = _double(first), _double(second)
    mean_x, mean_y = x.mean(over, keepdims=True), y.mean(over, keepdims=True)
    spread = ((x - mean_x) ** 2).sum(over, keepdims=True)
    slope = ((x - mean_x) * (y - mean_y)).sum(over, keepdims=True) / np.where(spread > 0, spread, 1.0)
    return slope, mean_y - slope * mean_x


def _double(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64)
