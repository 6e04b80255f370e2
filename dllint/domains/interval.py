"""Intervals of numbers with an origin for each bound: what is known of the elements of a tensor.

The value of a bound always holds. Its origin says why the bound is reached: a *derived* one by an operation or a literal
(softmax reaches 0), a *stated* one by what the user has written down, an *assumed* one because trained numbers and inputs
may be anything; that an *unknown* one is reached is not known, so it proves that a danger is absent, and never that there is
one. NaN is no number of an interval: the operation that first makes one is what is looked for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Final


class Origin(IntEnum):
    """Why a bound is reached; of two reasons the weaker one (the larger number) is what a result rests on."""

    DERIVED = 0
    #: Somebody has written down that it is reached: in a comment or in the configuration.
    STATED = 1
    #: A trained number may become anything.
    TRAINED = 2
    #: So may the data that the program is given.
    INPUT = 3
    UNKNOWN = 4


@dataclass(frozen=True, slots=True)
class Bound:
    """One end; ``closed`` if the number itself belongs to the interval."""

    value: float
    origin: Origin = Origin.DERIVED
    closed: bool = True

    @property
    def known(self) -> bool:
        """Whether it is known to be reached."""
        return self.origin is not Origin.UNKNOWN


GIVEN_UP_BELOW: Final = Bound(-math.inf, Origin.UNKNOWN)
GIVEN_UP_ABOVE: Final = Bound(math.inf, Origin.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from ``low`` to ``high``; ``nonzero`` if 0 is not among them although it lies between."""

    low: Bound
    high: Bound
    nonzero: bool = False

    @property
    def known(self) -> bool:
        """Whether either bound is known to be reached."""
        return self.low.known or self.high.known

    @property
    def origin(self) -> Origin:
        """The weaker of the two origins."""
        return max(self.low.origin, self.high.origin)

    @property
    def has_zero(self) -> bool:
        """Whether 0 belongs to it."""
        if self.nonzero or self.low.value > 0 or self.high.value < 0:
            return False
        return not ((self.low.value == 0 and not self.low.closed) or (self.high.value == 0 and not self.high.closed))

    @property
    def constant(self) -> float | None:
        """The only number in it, if there is one."""
        return self.low.value if self.low.value == self.high.value else None

    def within(self, other: Interval) -> bool:
        """Whether every number of this interval belongs to the other."""
        lower = self.low.value > other.low.value or (
            self.low.value == other.low.value and (other.low.closed or not self.low.closed)
        )
        upper = self.high.value < other.high.value or (
            self.high.value == other.high.value and (other.high.closed or not self.high.closed)
        )
        return lower and upper and (self.nonzero or not other.nonzero or not self.has_zero)

    def join(self, other: Interval) -> Interval:
        """The smallest interval that holds both."""
        low, high = lower(self.low, other.low), upper(self.high, other.high)
        around = low.value <= 0 <= high.value
        return Interval(low, high, around and not self.has_zero and not other.has_zero)

    def meet(self, other: Interval) -> Interval:
        """What belongs to both; the first interval if nothing does (a contradiction proves nothing)."""
        low, high = upper(self.low, other.low, inside=True), lower(self.high, other.high, inside=True)
        if low.value > high.value:
            return self
        return Interval(low, high, self.nonzero or other.nonzero)

    def widen(self, newer: Interval) -> Interval:
        """This interval with every bound that the newer one exceeds given up."""
        joined = self.join(newer)
        low = joined.low if joined.low.value == self.low.value else GIVEN_UP_BELOW
        high = joined.high if joined.high.value == self.high.value else GIVEN_UP_ABOVE
        return Interval(low, high, joined.nonzero)

    def narrow(self, newer: Interval) -> Interval:
        """This interval with the bounds that widening gave up taken from the newer one, which lies within it."""
        low = newer.low if self.low == GIVEN_UP_BELOW else self.low
        high = newer.high if self.high == GIVEN_UP_ABOVE else self.high
        return Interval(low, high, self.nonzero)

    def __str__(self) -> str:
        left = "[" if self.low.closed and math.isfinite(self.low.value) else "("
        right = "]" if self.high.closed and math.isfinite(self.high.value) else ")"
        return f"{left}{_end(self.low)}, {_end(self.high)}{right}"


def lower(a: Bound, b: Bound, inside: bool = False) -> Bound:
    """The lower of two ends; of equal ones the one that takes more in (``inside``: less), then the more certain one."""
    if a.value != b.value:
        return a if a.value < b.value else b
    if a.closed != b.closed:
        return a if a.closed is not inside else b
    return a if a.origin <= b.origin else b


def upper(a: Bound, b: Bound, inside: bool = False) -> Bound:
    """The upper of two ends."""
    if a.value != b.value:
        return a if a.value > b.value else b
    return lower(a, b, inside)


def _end(bound: Bound) -> str:
    return "?" if not bound.known and math.isinf(bound.value) else f"{bound.value:.4g}".replace("inf", "∞")


def exactly(value: float) -> Interval:
    """One number."""
    return Interval(Bound(value), Bound(value))


def between(low: float, high: float, origin: Origin = Origin.DERIVED) -> Interval:
    """The numbers between two, both included."""
    return Interval(Bound(low, origin), Bound(high, origin))


def unbounded(origin: Origin) -> Interval:
    """Any number."""
    return between(-math.inf, math.inf, origin)


UNKNOWN: Final = unbounded(Origin.UNKNOWN)
