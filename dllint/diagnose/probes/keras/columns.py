"""Columns of two-dimensional inputs over all samples of a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from dllint.diagnose.records import FeatureStats

Array = np.ndarray[Any, Any]


class Columns:
    """The least and the greatest number of every column of each input so far."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Array, Array, Array, int]] = {}

    def add(self, name: str, rows: Array) -> FeatureStats | None:
        """Take in a batch of an input, and tell what is known now; ``None`` if it has no columns of numbers."""
        if rows.ndim != 2 or rows.dtype.kind != "f" or not rows.size:
            return None
        low, high, missing = rows.min(axis=0), rows.max(axis=0), np.asarray(~np.isfinite(rows).all(axis=0))
        known = self._known.get(name)
        seen = len(rows)
        if known is not None and known[0].shape == low.shape:
            low, high, missing = np.minimum(low, known[0]), np.maximum(high, known[1]), missing | known[2]
            seen += known[3]
        self._known[name] = (low, high, missing, seen)
        return _stats(low, high, missing, seen)


def _stats(low: Array, high: Array, missing: Array, seen: int) -> FeatureStats:
    ranges = (high.astype(np.float64) - low.astype(np.float64))[~missing]
    varying = ranges[ranges > 0]
    return FeatureStats(
        len(low),
        int((ranges == 0).sum()),
        int(missing.sum()),
        float(varying.max(initial=0.0)),
        float(varying.min(initial=np.inf)),
        seen,
    )
