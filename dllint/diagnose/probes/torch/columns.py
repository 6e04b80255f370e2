"""Columns of two-dimensional inputs over all samples of a run."""

from __future__ import annotations

import torch
from torch import Tensor

from dllint.diagnose.probes.torch.statistics import plain
from dllint.diagnose.records import FeatureStats


class Columns:
    """The least and the greatest number of every column so far, where the inputs are."""

    def __init__(self) -> None:
        self._bounds: Tensor | None = None
        self._missing: Tensor | None = None
        self._seen = 0

    def add(self, rows: Tensor) -> FeatureStats:
        """Take in a batch of rows, and tell what is known now."""
        rows = plain(rows)
        bounds, missing = torch.stack([rows.amin(dim=0), (-rows).amin(dim=0)]), ~torch.isfinite(rows).all(dim=0)
        if self._bounds is None or self._missing is None or self._bounds.shape != bounds.shape:
            self._bounds, self._missing, self._seen = bounds, missing, 0
        self._bounds = torch.minimum(self._bounds.to(bounds.device), bounds)
        self._missing = self._missing.to(missing.device) | missing
        self._seen += rows.shape[0]
        return self._stats(self._bounds, self._missing)

    def _stats(self, bounds: Tensor, missing: Tensor) -> FeatureStats:
        ranges = -bounds[0] - bounds[1]
        varying = (ranges > 0) & ~missing
        constant = ((ranges == 0) & ~missing).sum()
        widest = torch.where(varying, ranges, torch.zeros_like(ranges)).amax()
        narrowest = torch.where(varying, ranges, torch.full_like(ranges, torch.inf)).amin()
        numbers = torch.stack([constant.to(widest), missing.sum().to(widest), widest, narrowest]).tolist()
        return FeatureStats(ranges.shape[0], int(numbers[0]), int(numbers[1]), numbers[2], numbers[3], self._seen)
