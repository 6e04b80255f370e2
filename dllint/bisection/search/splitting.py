"""Recursive drop splitting: halve every row of operators over which the metric falls, or rises, until single ones are left."""

from __future__ import annotations

from dataclasses import dataclass

from dllint.bisection.statistics.sequential import Change
from dllint.bisection.steps import Profile, middle
from dllint.bisection.trials import Trials


@dataclass(frozen=True, slots=True)
class Fall:
    """Between the cuts ``left`` and ``right`` the metric falls; a longer row means that no part of it falls by itself."""

    left: int
    right: int


class Splitting:
    """One search over the cuts of one observation; ``alpha`` is the error rate of each test."""

    def __init__(self, trials: Trials, profile: Profile, alpha: float, visible: float) -> None:
        self._trials = trials
        self._profile = profile
        self._alpha = alpha
        self._visible = visible

    def falls(self, left: int, right: int) -> list[Fall]:
        """The falls between two cuts, each as short as the samples can tell.

        Where errors cancel, a row may rise as a whole and hold a fall: rows that rise are split as well.
        """
        change = self._trials.change(self._profile.at(left), self._profile.at(right), self._alpha, self._visible)
        if change is Change.NONE:
            return []
        whole = [Fall(left, right)] if change is Change.FALL else []
        if right - left == 1:
            return whole
        cut = middle(self._profile.steps, left, right)
        return self.falls(left, cut) + self.falls(cut, right) or whole
