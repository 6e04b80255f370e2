"""Quantities from a run's record that several hypotheses use."""

from __future__ import annotations

import math
from statistics import median
from typing import Final

from dllint.diagnose.records import BatchTensor, RunRecord, TensorStats

#: Means or spreads beyond this are not those of prepared inputs.
_UNSCALED: Final = 5.0
#: The size of an update against that of the weights that is healthy (survey of tools).
_HEALTHY: Final = 1e-3
#: Which of the largest updates counts: single ones are exceptions.
_LARGEST: Final = 3


def update_shares(run: RunRecord) -> list[float]:
    """The norm of each sampled update relative to the norm of the weights."""
    shares = []
    for step in run.steps:
        samples = [sample for sample in step.parameters.values() if sample.update is not None]
        weights = math.hypot(*(sample.weight for sample in samples))
        updates = math.hypot(*(sample.update for sample in samples if sample.update is not None))
        if weights:
            shares.append(updates / weights)
    return shares


def too_fast(run: RunRecord) -> float:
    """How strongly the updates speak for a learning rate that is too high, 0 to 1. The healthy share is about a thousandth.
    The largest ones count: a model that large steps have ruined makes small ones."""
    shares = sorted(update_shares(run))
    share = shares[-min(_LARGEST, len(shares))] if shares else math.nan
    if not math.isfinite(share):
        return 0.6
    return 1.0 if share > 0.1 else 0.7 if share > 0.01 else 0.3


def too_slow(run: RunRecord) -> float:
    """How strongly the updates speak for a learning rate that is too low, 0 to 1."""
    shares = update_shares(run)
    share = median(shares) if shares else math.nan
    if not math.isfinite(share):
        return 0.2
    return 1.0 if share < 1e-5 else 0.7 if share < 1e-3 else 0.2


def missing_powers(run: RunRecord) -> int:
    """How many powers of ten the updates lie below the healthy ratio; 0 if unknown."""
    shares = update_shares(run)
    share = median(shares) if shares else math.nan
    return max(round(math.log10(_HEALTHY / share)), 0) if 0 < share < math.inf else 0


def unscaled_input(run: RunRecord) -> BatchTensor | None:
    """The first input, if its numbers are far from those of prepared inputs."""
    for step in run.steps:
        for tensor in step.batch.tensors if step.batch is not None else ():
            if tensor.role == "input":
                return tensor if tensor.stats is not None and _is_unscaled(tensor, tensor.stats) else None
    return None


def _is_unscaled(tensor: BatchTensor, stats: TensorStats) -> bool:
    is_float = "float" in tensor.dtype or tensor.dtype == "uint8"
    return is_float and len(tensor.shape) > 1 and max(abs(stats.mean), stats.std) > _UNSCALED
