"""The difference between two outcomes over the same samples, with what chance could have made of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contrast:
    """``difference`` is *after* minus *before* in units of the metric, turned so that more is better.

    ``low`` and ``high`` bound it with the confidence ``level``; ``p_drop`` and ``p_rise`` are one-sided: how often chance
    alone gives such a fall (rise) where there is none.
    """

    difference: float
    low: float
    high: float
    level: float
    p_drop: float
    p_rise: float
    samples: int
    #: The smallest change of one sample's contribution; 0 if the metric is not a mean over samples.
    smallest: float = 0.0

    def drops(self, alpha: float, tolerance: float = 0.0) -> bool:
        """Whether the metric falls by more than the tolerance, at this error rate."""
        return self.difference < -tolerance and self.p_drop <= alpha

    def rises(self, alpha: float, tolerance: float = 0.0) -> bool:
        """Whether the metric rises by more than the tolerance, at this error rate."""
        return self.difference > tolerance and self.p_rise <= alpha

    def non_inferior(self, margin: float) -> bool:
        """Whether a fall by the margin or more is excluded."""
        return self.low > -margin
