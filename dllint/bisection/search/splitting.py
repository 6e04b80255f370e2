"""Recursive drop splitting: halve every row of operators over which the metric falls, or rises, until single ones are left.

Where some operators are known to be wrong by themselves, a row is cut in front of and behind these instead of in its middle.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from dllint.bisection.statistics.sequential import Change
from dllint.bisection.steps import Profile, Step, middle
from dllint.bisection.trials import Part, Trials


@dataclass(frozen=True, slots=True)
class Fall:
    """Between the cuts ``left`` and ``right`` the metric falls; a longer row means that no part of it falls by itself."""

    left: int
    right: int


class Splitting:
    """One search over the cuts of one observation; ``alpha`` is the error rate of each test.

    ``guides`` are steps to cut around; a fall of ``tolerance`` or less is none.
    """

    def __init__(
        self,
        trials: Trials,
        profile: Profile,
        alpha: float,
        visible: float,
        guides: Collection[Step] = (),
        tolerance: float = 0.0,
    ) -> None:
        self._trials = trials
        self._profile = profile
        self._alpha = alpha
        self._visible = visible
        self._guides = frozenset(guides)
        self._tolerance = tolerance

    def falls(self, left: int, right: int) -> list[Fall]:
        """The falls between two cuts, each as short as the samples can tell.

        Where errors cancel, a row may rise as a whole and hold a fall: rows that rise are split as well.
        """
        change = self._trials.change(self._profile.at(left), self._profile.at(right), self._alpha, self._visible)
        if change is Change.NONE or self._small(left, right):
            return []
        whole = [Fall(left, right)] if change is Change.FALL else []
        if right - left == 1:
            return whole
        cut = self._cut(left, right)
        return self.falls(left, cut) + self.falls(cut, right) or whole

    def _small(self, left: int, right: int) -> bool:
        if not self._tolerance:
            return False
        contrast = self._trials.contrast(self._profile.at(left), self._profile.at(right), Part.SEARCH)
        return abs(contrast.difference) <= self._tolerance

    def _cut(self, left: int, right: int) -> int:
        """Beside a guide, the one nearest to the middle; without one, the middle."""
        inside = [i for i in range(left, right) if self._profile.steps[i] in self._guides]
        beside = [cut for i in inside for cut in (i, i + 1) if left < cut < right]
        centre = (left + right) / 2
        return min(beside, key=lambda cut: abs(cut - centre)) if beside else middle(self._profile.steps, left, right)
