"""Stopping before all samples are run: tests that hold at whatever moment they are read.

Betting e-processes for the mean of bounded numbers (Waudby-Smith and Ramdas 2023): the stake on each number is set by those
before it, and capital of ``1 / alpha`` refutes the hypothesis at level ``alpha`` at any time.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

import numpy as np

#: No stake is larger than this share of what can be lost.
_LARGEST_STAKE: Final = 0.5


class Change(Enum):
    """The change of the metric from one cut to another."""

    FALL = "fall"
    RISE = "rise"
    NONE = "none"
    #: Too few samples yet.
    OPEN = "open"


class SequentialChange:
    """Watches paired differences that arrive in chunks; each lies within ``bound`` of 0.

    ``FALL`` once a mean of 0 or more is refuted at ``alpha``, ``RISE`` likewise; ``NONE`` once means of ``visible`` and more
    are refuted on both sides.
    """

    def __init__(self, alpha: float, visible: float, bound: float = 1.0) -> None:
        self._limit = 1 / alpha
        self._bound = bound
        self._moves = {Change.FALL: _Capital(-1.0, 0.0, bound), Change.RISE: _Capital(1.0, 0.0, bound)}
        self._none = [_Capital(sign, visible, bound + visible) for sign in (-1.0, 1.0)]

    def update(self, differences: np.ndarray) -> Change:
        """Take a chunk of differences in."""
        for number in np.clip(differences, -self._bound, self._bound):
            for capital in (*self._moves.values(), *self._none):
                capital.bet(float(number))
        for change, capital in self._moves.items():
            if capital.highest >= self._limit:
                return change
        return Change.NONE if all(capital.highest >= self._limit for capital in self._none) else Change.OPEN


class _Capital:
    """One gambler's capital, betting that the mean of ``sign * x + shift`` is above 0."""

    def __init__(self, sign: float, shift: float, largest: float) -> None:
        self._sign, self._shift, self._largest = sign, shift, largest
        self._now = self.highest = 1.0
        #: A weak prior of one number with the largest spread keeps early stakes small.
        self._number, self._sum, self._squares = 1.0, 0.0, 0.25

    def bet(self, number: float) -> None:
        """Play one round with a number."""
        x = (self._sign * number + self._shift) / self._largest
        mean = self._sum / self._number
        stake = min(max(mean / (self._squares / self._number), 0.0), _LARGEST_STAKE)
        self._now *= 1 + stake * x
        self.highest = max(self.highest, self._now)
        self._number += 1
        self._sum += x
        self._squares += x * x
