"""Storage of bounded size for a run: time series, and a sample of detailed steps."""

from __future__ import annotations

from array import array
from collections import deque
from random import Random
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_MOST_POINTS: Final = 20_000
_FIRST: Final = 20
_LAST: Final = 40
_BETWEEN: Final = 60


class Series:
    """A time series over steps. When it exceeds its bound, every other point is dropped."""

    def __init__(self) -> None:
        self.steps = array("l")
        self.values = array("d")
        self._stride = 1
        self._count = 0

    def add(self, step: int, value: float) -> None:
        """Append a point."""
        self._count += 1
        if self._count % self._stride:
            return
        self.steps.append(step)
        self.values.append(value)
        if len(self.values) >= _MOST_POINTS:
            self.steps, self.values = self.steps[1::2], self.values[1::2]
            self._stride *= 2


class Samples(Generic[T]):
    """The first items, the last ones, and a uniform sample of those between (a reservoir), in order.

    It draws from a generator of its own, so that the program's random numbers stay what they are.
    """

    def __init__(self) -> None:
        self._first: list[T] = []
        self._last: deque[tuple[int, T]] = deque()
        self._between: dict[int, tuple[int, T]] = {}
        self._passed = 0
        self._count = 0
        self._random = Random(0)

    def add(self, item: T) -> None:
        """Append an item."""
        self._count += 1
        if len(self._first) < _FIRST:
            self._first.append(item)
            return
        self._last.append((self._count, item))
        if len(self._last) > _LAST:
            self._pass_on(self._last.popleft())

    def _pass_on(self, numbered: tuple[int, T]) -> None:
        self._passed += 1
        slot = self._passed - 1 if self._passed <= _BETWEEN else self._random.randrange(self._passed)
        if slot < _BETWEEN:
            self._between[slot] = numbered

    def items(self) -> tuple[T, ...]:
        """All that is kept, oldest first."""
        between = [item for _, item in sorted(self._between.values(), key=lambda pair: pair[0])]
        return (*self._first, *between, *(item for _, item in self._last))
