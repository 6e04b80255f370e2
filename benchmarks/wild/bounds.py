"""What a share in a sample says about the share in all: Wilson's interval, and one that resamples whole repositories."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import sqrt
from typing import Final

#: Standard deviations of the normal distribution that hold 95 % of it.
_Z: Final = 1.959963984540054
_RESAMPLES: Final = 2_000

Interval = tuple[float, float]


def wilson(events: int, trials: int) -> Interval:
    """The 95 % interval of a probability after so many events in so many independent trials."""
    if not trials:
        return 0.0, 1.0
    share, square = events / trials, _Z * _Z
    centre = share + square / (2 * trials)
    spread = _Z * sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    low, high = (centre - spread) / (1 + square / trials), (centre + spread) / (1 + square / trials)
    return max(0.0, low) if events else 0.0, min(1.0, high) if events < trials else 1.0


def clustered(groups: Sequence[tuple[int, int]], seed: int = 0) -> Interval:
    """The 95 % interval of a share whose trials come in groups that are alike inside: a bootstrap over groups.

    ``groups`` has the events and the trials of each.
    """
    groups = [group for group in groups if group[1]]
    if not groups:
        return 0.0, 1.0
    choice = random.Random(seed)
    shares = []
    for _ in range(_RESAMPLES):
        drawn = choice.choices(groups, k=len(groups))
        shares.append(sum(events for events, _ in drawn) / sum(trials for _, trials in drawn))
    shares.sort()
    return shares[int(0.025 * _RESAMPLES)], shares[int(0.975 * _RESAMPLES) - 1]
