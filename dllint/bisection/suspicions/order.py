"""Values that are the reference's in another order or at another place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from dllint.bisection.suspicions.evidence import Evidence

#: Shifts that are tried, in elements.
_SHIFTS = (1, -1, 2, -2, 3, -3)


def transposition(given: Evidence) -> str | None:
    """Two axes exchanged: another layout."""
    if not given.finite:
        return None
    for first, second in combinations(range(1, given.expected.ndim), 2):
        if given.expected.shape[first] == given.expected.shape[second]:
            if given.explains(np.swapaxes(given.expected, first, second)):
                return f"layout: axes {first} and {second} are exchanged"
        elif given.explains(np.swapaxes(given.expected, first, second).reshape(given.expected.shape)):
            return f"layout: the elements lie in the order of exchanged axes {first} and {second}"
    return None


def channel_order(given: Evidence, first: int = 1) -> str | None:
    """The indices of one axis, from ``first`` on, reversed or permuted."""
    if not given.finite:
        return None
    for axis in range(first, given.expected.ndim):
        if given.expected.shape[axis] > 1 and given.explains(np.flip(given.expected, axis)):
            return f"order: axis {axis} is reversed"
    for axis in range(first, given.expected.ndim):
        order = _matched(given.expected, given.found, axis)
        if order is not None and given.explains(np.take(given.expected, order, axis)):
            return f"order: the indices of axis {axis} are permuted"
    return None


def shift(given: Evidence) -> str | None:
    """Moved along an axis, with other values at the border: padding on the wrong side."""
    if not given.finite:
        return None
    for axis, by in _shifts(given.expected.shape):
        size = given.expected.shape[axis]
        inner = [slice(None)] * given.expected.ndim
        inner[axis] = slice(max(by, 0), size + min(by, 0))
        moved, kept = np.roll(given.expected, by, axis)[tuple(inner)], given.found[tuple(inner)]
        if Evidence(given.expected[tuple(inner)], kept).explains(moved):
            return f"padding: the values are shifted by {by} along axis {axis}"
    return None


def border(given: Evidence) -> str | None:
    """Different at the ends of an axis only: another padding."""
    if not given.finite:
        return None
    scale = np.abs(given.expected).max() or 1.0
    wrong = np.abs(given.found - given.expected) > 1e-3 * scale
    for axis in range(1, wrong.ndim):
        where = np.flatnonzero(wrong.any(axis=tuple(i for i in range(wrong.ndim) if i != axis)))
        size = wrong.shape[axis]
        width = int(np.minimum(where, size - 1 - where).max()) + 1 if where.size else 0
        if width and size >= 4 and width <= size // 4 and where.size <= 2 * width:
            return f"padding: the values differ only at the border of axis {axis}, {width} wide"
    return None


def _shifts(shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    for axis in range(1, len(shape)):
        for by in _SHIFTS:
            if abs(by) * 2 < shape[axis]:
                yield axis, by


def _matched(expected: np.ndarray, found: np.ndarray, axis: int) -> np.ndarray | None:
    """For each index of ``found`` along the axis the index of ``expected`` that is closest to it; None if two share one."""
    size = expected.shape[axis]
    if not 2 <= size <= 4096:
        return None
    ours, theirs = (np.moveaxis(array, axis, 0).reshape(size, -1)[:, :512].astype(np.float64) for array in (expected, found))
    distances = (theirs**2).sum(1)[:, None] - 2 * theirs @ ours.T + (ours**2).sum(1)[None]
    order: np.ndarray = distances.argmin(1)
    return order if np.unique(order).size == size and (order != np.arange(size)).any() else None
