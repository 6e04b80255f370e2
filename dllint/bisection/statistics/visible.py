"""The smallest drop that a bisection over so many samples would find."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

from dllint.bisection.statistics.contrast import Contrast

#: The drop and the spread that it brings along settle after a few rounds.
_ROUNDS: Final = 20


def smallest_visible_drop(contrast: Contrast, samples: int, alpha: float, power: float = 0.8, tests: int = 2) -> float:
    """The true fall that ``tests`` independent tests at ``alpha``, each over so many ``samples``, find together with
    probability ``power``.

    Normal approximation from the width of the contrast's interval, but never less than the number of flips below which
    no sign test can be significant.
    """
    if not samples or not math.isfinite(contrast.high - contrast.low):
        return math.inf
    normal = NormalDist()
    error = (contrast.high - contrast.low) / (2 * normal.inv_cdf((1 + contrast.level) / 2))
    factor = normal.inv_cdf(1 - alpha) + normal.inv_cdf(power ** (1 / tests))
    fewest = contrast.smallest * math.ceil(math.log2(1 / alpha)) / samples
    drop = fewest
    for _ in range(_ROUNDS):
        # A larger drop comes with more flips, and so with more spread.
        more = contrast.smallest * max(0.0, drop - abs(contrast.difference))
        drop = max(fewest, factor * math.sqrt((error**2 * contrast.samples + more) / samples))
    return drop
