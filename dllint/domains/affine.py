"""Sums of multiples of tensors, ``Σ wᵢ·xᵢ + w₀``, that hold up to a rounding error.

In real numbers ``(a + b) + (a - b)`` is ``2a``. In floating point it is that but for what each operation rounds, so that
every form carries a bound for the difference, and an interval obtained through it is widened by that bound.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from dllint.domains.floating import BINARY64
from dllint.domains.interval import Bound, Interval, exactly
from dllint.domains.interval_arithmetic import add, mul


@dataclass(frozen=True, slots=True)
class AffineForm:
    """``weights`` of the terms by what identifies them; ``error`` is the largest difference to the computed result."""

    weights: Mapping[Hashable, float]
    constant: float = 0.0
    error: float = 0.0

    def scaled(self, factor: float, error: float = 0.0) -> AffineForm:
        """The form times a number; ``error`` is what rounding the result adds."""
        weights = {term: weight * factor for term, weight in self.weights.items()}
        return AffineForm(weights, self.constant * factor, self.error * abs(factor) + error)

    def plus(self, other: AffineForm, error: float = 0.0) -> AffineForm:
        """The sum of two forms; terms that cancel are gone."""
        weights = dict(self.weights)
        for term, weight in other.weights.items():
            weights[term] = weights.get(term, 0.0) + weight
        kept = {term: weight for term, weight in weights.items() if weight != 0}
        return AffineForm(kept, self.constant + other.constant, self.error + other.error + error)

    def shares(self, other: AffineForm) -> bool:
        """Whether the forms have a term in common, so that their sum may be tighter than that of their intervals."""
        return not self.weights.keys().isdisjoint(other.weights.keys())

    def interval(self, of: Callable[[object], Interval]) -> Interval:
        """The numbers that the computed result may be, from the intervals of the terms."""
        found = exactly(self.constant)
        for term, weight in self.weights.items():
            found = add(found, mul(of(term), exactly(weight), BINARY64), BINARY64)
        if self.error == 0:
            return found
        low, high = found.low, found.high
        return Interval(Bound(low.value - self.error, low.origin), Bound(high.value + self.error, high.origin))
