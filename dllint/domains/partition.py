"""Tensors as disjoint parts, one interval per part (DEBAR's tensor partitioning).

The parts are the cells of a grid: every axis is cut at some positions. Cuts come from where tensors are put together, split,
sliced and assigned to; a tensor that has none is one part. A cut counts from the start of an axis, so that an axis of
unknown size can have cuts, too; its last segment ends wherever the axis does.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod

from dllint.domains.interval import Interval

#: From the first to before the last position along an axis; ``None``: to the end of the axis.
Segment = tuple[int, int | None]
#: One segment per axis.
Box = tuple[Segment, ...]
#: The positions at which each axis is cut, ascending and above 0; no axes at all if there is no cut.
Cuts = tuple[tuple[int, ...], ...]
FULL: Segment = (0, None)


@dataclass(frozen=True, slots=True)
class Partition:
    """``cells`` holds the intervals of the grid's cells, the last axis counted through first."""

    cuts: Cuts
    cells: tuple[Interval, ...]

    @property
    def smashed(self) -> Interval:
        """One interval for all elements."""
        return self.cells[0] if len(self.cells) == 1 else reduce(Interval.join, self.cells)

    def over(self, box: Box) -> Interval:
        """One interval for the elements in a box."""
        if len(self.cells) == 1:
            return self.cells[0]
        touched = [_touched(cuts, segment) for cuts, segment in zip(self.cuts, box, strict=True)]
        return reduce(Interval.join, (self.cells[self._place(index)] for index in product(*touched)))

    def _place(self, index: tuple[int, ...]) -> int:
        place = 0
        for cuts, position in zip(self.cuts, index, strict=True):
            place = place * (len(cuts) + 1) + position
        return place

    def boxes(self) -> Iterator[Box]:
        """The boxes of the cells, in their order."""
        return boxes(self.cuts)

    def cut_as(self, cuts: Cuts) -> Partition:
        """The elements on another grid; a cell of it holds everything that the cells it touches hold."""
        if cuts == self.cuts:
            return self
        if not cuts:
            return whole(self.smashed)
        return assembled(cuts, self.over) if self.cuts else Partition(cuts, self.cells * count(cuts))

    def combined(self, other: Partition, combine: Callable[[Interval, Interval], Interval]) -> Partition:
        """What a function of two intervals makes of the cells of two tensors of one shape."""
        if not self.cuts and not other.cuts:
            return Partition((), (combine(self.cells[0], other.cells[0]),))
        cuts = common((self.cuts, other.cuts))
        first, second = self.cut_as(cuts), other.cut_as(cuts)
        return Partition(cuts, tuple(map(combine, first.cells, second.cells)))

    def within(self, other: Partition) -> bool:
        """Whether every part lies in the other tensor's parts at its place."""
        cuts = common((self.cuts, other.cuts))
        return all(map(Interval.within, self.cut_as(cuts).cells, other.cut_as(cuts).cells))

    def join(self, other: Partition) -> Partition:
        """The least partition that contains both."""
        return self.combined(other, Interval.join)

    def meet(self, other: Partition) -> Partition:
        """What belongs to both; where that is nothing, this one's."""
        return self.combined(other, Interval.meet)

    def widen(self, newer: Partition) -> Partition:
        """This one's parts with every bound that the newer ones exceed given up; no cut is added, so that it ends."""
        return Partition(self.cuts, tuple(map(Interval.widen, self.cells, newer.cut_as(self.cuts).cells)))

    def narrow(self, newer: Partition) -> Partition:
        """This one's parts with the bounds that were given up taken from the newer ones, which lie within it."""
        return Partition(self.cuts, tuple(map(Interval.narrow, self.cells, newer.cut_as(self.cuts).cells)))

    def simplified(self, most: int) -> Partition:
        """Without the cuts between equal parts; one part if there are more than ``most``."""
        if not self.cuts:
            return self
        if len(self.cells) > most:
            return whole(self.smashed)
        cuts = tuple(self._needed(axis) for axis in range(len(self.cuts)))
        return self.cut_as(cuts) if any(cuts) else whole(self.cells[0])

    def _needed(self, axis: int) -> tuple[int, ...]:
        """The cuts of an axis that separate parts that differ."""
        inner = count(self.cuts[axis + 1 :])
        size = len(self.cuts[axis]) + 1
        rows = [[cell for k, cell in enumerate(self.cells) if k // inner % size == place] for place in range(size)]
        return tuple(cut for place, cut in enumerate(self.cuts[axis]) if rows[place] != rows[place + 1])

    def __str__(self) -> str:
        return " | ".join(dict.fromkeys(map(str, self.cells)))


def whole(interval: Interval) -> Partition:
    """A tensor in one part."""
    return Partition((), (interval,))


def assembled(cuts: Cuts, part: Callable[[Box], Interval]) -> Partition:
    """A tensor whose parts are computed box by box."""
    return Partition(cuts, tuple(map(part, boxes(cuts))))


def boxes(cuts: Cuts) -> Iterator[Box]:
    """The boxes of a grid."""
    return product(*map(_segments, cuts))


def count(cuts: Cuts) -> int:
    """The number of cells of a grid."""
    return prod(len(positions) + 1 for positions in cuts)


def common(grids: Iterable[Cuts]) -> Cuts:
    """The cuts of several grids over one shape together; none if their numbers of axes differ."""
    known = [cuts for cuts in grids if cuts]
    if not known or len({len(cuts) for cuts in known}) > 1:
        return ()
    return tuple(tuple(sorted(set().union(*axis))) for axis in zip(*known, strict=True))


def edges(box: Box) -> Cuts:
    """The cuts that make a box a cell."""
    cuts = tuple(tuple(sorted({end for end in segment if end})) for segment in box)
    return cuts if any(cuts) else ()


def inside(inner: Box, outer: Box) -> bool:
    """Whether a box lies in another one."""
    return all(a >= c and (d is None or (b is not None and b <= d)) for (a, b), (c, d) in zip(inner, outer, strict=True))


def _segments(cuts: tuple[int, ...]) -> Iterator[Segment]:
    return zip((0, *cuts), (*cuts, None), strict=True)


def _touched(cuts: tuple[int, ...], segment: Segment) -> range:
    """The cells along an axis that a segment touches; the nearest one if it is empty."""
    start, stop = segment
    first = bisect_right(cuts, start)
    last = len(cuts) if stop is None else bisect_left(cuts, stop)
    return range(first, max(first, last) + 1)
