"""How certain a search has to be."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Certainty:
    """``alpha``: error rate of the whole search; ``margin``: the drop that the user calls none, in units of the metric.

    ``expected`` is what the user says the reference reaches, within ``slack``.
    """

    alpha: float = 0.01
    power: float = 0.8
    margin: float = 0.0
    expected: float | None = None
    slack: float = 0.01

    def per_test(self, steps: int, culprits: int = 2) -> float:
        """The error rate of one test, by Bonferroni over the ``2 k log2 n`` tests of a search for ``k`` culprits."""
        return self.alpha / max(1, math.ceil(2 * culprits * math.log2(max(2, steps))))
