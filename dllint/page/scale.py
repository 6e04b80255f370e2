"""From values to pixels, with ticks at round numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

#: Positive values that differ by more than this are shown on a logarithmic scale.
_WIDE: Final = 200.0
#: Beyond these, differences can no longer be computed with.
_HUGE: Final = 1e300
_TINY: Final = 1e-300
_ROUND: Final = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps ``low`` … ``high`` to pixels ``begin`` … ``end``, linearly or by the logarithm."""

    low: float
    high: float
    begin: float
    end: float
    is_log: bool = False

    def at(self, value: float) -> float:
        """The pixel of a value; values outside are at the nearer end."""
        low, high = self._of(self.low), self._of(self.high)
        share = (self._of(min(max(value, self.low), self.high)) - low) / ((high - low) or 1.0)
        return self.begin + (self.end - self.begin) * share

    def ticks(self, most: int) -> list[float]:
        """At most about so many round values, ascending."""
        return _decades(self.low, self.high, most) if self.is_log else _steps(self.low, self.high, most)

    def _of(self, value: float) -> float:
        return math.log10(value) if self.is_log else value


def fitted(values: Iterable[float], begin: float, end: float) -> Scale:
    """The scale that shows all finite values; logarithmic if they are positive and far apart. A few that are almost 0 make no
    scale logarithmic, and lie at the edge of one that is."""
    finite = sorted(min(max(value, -_HUGE), _HUGE) for value in values if math.isfinite(value))
    low, high = (finite[0], finite[-1]) if finite else (0.0, 1.0)
    usual = finite[len(finite) // 20] if finite else 0.0
    if low > 0 and high / usual > _WIDE:
        low = max(low, usual / _WIDE)
        return Scale(10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high)), begin, end, is_log=True)
    if high - low < _TINY:
        room = abs(low) / 2 or 1.0
        return Scale(low - room, high + room, begin, end)
    step = _step(low, high, 4)
    return Scale(math.floor(low / step) * step, math.ceil(high / step) * step, begin, end)


def _step(low: float, high: float, most: int) -> float:
    rough = (high - low) / max(most, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (*_ROUND, 20.0) if factor * power >= rough * (1 - 1e-9))


def _steps(low: float, high: float, most: int) -> list[float]:
    if high <= low:
        return [low]
    step = _step(low, high, most)
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 12) for number in range(first, math.floor(high / step + 1e-9) + 1)]


def _decades(low: float, high: float, most: int) -> list[float]:
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    stride = max(1, math.ceil((last - first + 1) / most))
    return [10.0**exponent for exponent in range(first, last + 1, stride)]
