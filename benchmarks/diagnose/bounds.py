"""Exact confidence bounds of shares."""

from __future__ import annotations

from math import comb


def upper_bound(events: int, trials: int, confidence: float = 0.95) -> float:
    """Clopper and Pearson's one-sided upper bound of a probability, after so many events in so many trials."""
    if events >= trials:
        return 1.0
    low, high = events / trials, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(events, trials, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(events: int, trials: int, share: float) -> float:
    """The probability of no more events than these."""
    return sum(comb(trials, count) * share**count * (1 - share) ** (trials - count) for count in range(events + 1))
