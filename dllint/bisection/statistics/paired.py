"""Tests of the mean of paired differences: exact where they are flips, by random signs and the bootstrap elsewhere."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from dllint.bisection.statistics.contrast import Contrast

#: Resamples of the bootstrap and of the random signs: a p-value of 1/10,000 can still be resolved.
RESAMPLES: Final = 9_999
_ROWS: Final = 256
#: Up to so many distinct differences, resamples are drawn as counts of each.
_FEW: Final = 64


def paired_contrast(before: np.ndarray, after: np.ndarray, level: float = 0.99, seed: int = 0) -> Contrast:
    """The contrast of two rows of per-sample contributions, shape (samples,) each, in the same order.

    The interval is the paired percentile bootstrap. Differences of a single size are flips: their p-value is McNemar's
    exact one; else signs are drawn at random.
    """
    differences = np.asarray(after, dtype=np.float64) - np.asarray(before, dtype=np.float64)
    if not differences.size:
        return Contrast(0.0, -math.inf, math.inf, level, 1.0, 1.0, 0)
    generator = np.random.default_rng(seed)
    means = resampled_means(differences, generator)
    tail = (1 - level) / 2
    low, high = (float(q) for q in np.quantile(means, [tail, 1 - tail]))
    p_drop, p_rise = p_values(differences, generator)
    moved = np.abs(differences[differences != 0])
    smallest = float(moved.min()) if moved.size else 1.0
    return Contrast(float(differences.mean()), low, high, level, p_drop, p_rise, differences.size, smallest)


def resampled_means(differences: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Means of :data:`RESAMPLES` samples drawn with replacement, shape (resamples,)."""
    values, counts = np.unique(differences, return_counts=True)
    size = differences.size
    if values.size <= _FEW:
        return np.asarray(generator.multinomial(size, counts / size, size=RESAMPLES) @ values / size)
    rows = [differences[generator.integers(size, size=(_ROWS, size))].mean(axis=1) for _ in range(math.ceil(RESAMPLES / _ROWS))]
    return np.concatenate(rows)[:RESAMPLES]


def p_values(differences: np.ndarray, generator: np.random.Generator) -> tuple[float, float]:
    """One-sided p-values of a fall and of a rise of the mean."""
    moved = differences[differences != 0]
    if not moved.size:
        return 1.0, 1.0
    falls = int((moved < 0).sum())
    if np.ptp(np.abs(moved)) == 0:
        return mcnemar(falls, moved.size - falls), mcnemar(moved.size - falls, falls)
    return random_signs(moved, generator)


def mcnemar(falls: int, rises: int) -> float:
    """How often a fair coin gives at least ``falls`` of ``falls + rises`` (McNemar 1947, exact form)."""
    number = falls + rises
    log_half = -number * math.log(2)
    logs = (
        math.lgamma(number + 1) - math.lgamma(k + 1) - math.lgamma(number - k + 1) + log_half for k in range(falls, number + 1)
    )
    return min(1.0, math.fsum(map(math.exp, logs)))


def random_signs(moved: np.ndarray, generator: np.random.Generator) -> tuple[float, float]:
    """The paired randomisation test (Fisher 1935): the sum under random signs."""
    total = moved.sum()
    sizes = np.abs(moved)
    below = above = 0
    for start in range(0, RESAMPLES, _ROWS):
        rows = min(_ROWS, RESAMPLES - start)
        sums = (generator.integers(0, 2, size=(rows, moved.size)) * 2 - 1) @ sizes
        below += int((sums <= total).sum())
        above += int((sums >= total).sum())
    return (below + 1) / (RESAMPLES + 1), (above + 1) / (RESAMPLES + 1)
