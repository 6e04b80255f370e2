"""The elements of a tensor that a slice, a split or another layout of it holds, axis by axis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import Final, TypeGuard

from dllint.domains.dim import Dim, DimExpr, bounds
from dllint.domains.interval import Interval
from dllint.domains.partition import FULL, Box, Cuts, Partition, Segment, assembled, whole
from dllint.domains.shape import Shape
from dllint.ir.values import SliceVal, Value


@dataclass(frozen=True, slots=True)
class Selection:
    """``region`` holds the box of the source that is taken; ``axes`` names for every axis of the result the axis of the source
    that it runs along from the region's start on, or ``None`` if it does not do so step by step. ``exact``: all elements
    of the region are taken."""

    region: Box
    axes: tuple[int | None, ...]
    exact: bool = True

    def source(self, box: Box) -> Box:
        """The box of the source that a box of the result is taken from."""
        out = list(self.region)
        for axis, (start, stop) in zip(self.axes, box, strict=True):
            if axis is not None:
                first, last = self.region[axis]
                out[axis] = (first + start, _least(None if stop is None else first + stop, last))
        return tuple(out)

    def target(self, box: Box) -> Box:
        """The box of the result that a box within the region becomes."""
        out = []
        for axis in self.axes:
            if axis is None:
                out.append(FULL)
            else:
                first, (start, stop) = self.region[axis][0], box[axis]
                out.append((max(start - first, 0), None if stop is None else stop - first))
        return tuple(out)

    def take(self, x: Partition) -> Partition:
        """The parts of the result."""
        if not x.cuts or len(x.cuts) != len(self.region):
            return whole(x.smashed)
        cuts = tuple(self._cuts(x.cuts, axis) for axis in self.axes)
        if not any(cuts):
            return whole(x.over(self.region))
        return assembled(cuts, lambda box: x.over(self.source(box)))

    def _cuts(self, cuts: Cuts, axis: int | None) -> tuple[int, ...]:
        if axis is None:
            return ()
        first, last = self.region[axis]
        return tuple(cut - first for cut in cuts[axis] if cut > first and (last is None or cut < last))

    def put(self, x: Partition, value: Partition, rank: int) -> Partition:
        """``x`` with its region replaced by a tensor (of ``rank`` axes, broadcast from the last one). Where it is not known
        which elements of the region are, each may be either."""
        cuts = tuple(
            tuple(sorted({*(x.cuts[axis] if x.cuts else ()), *self._edges(axis), *self._moved(value, axis, rank)}))
            for axis in range(len(self.region))
        )
        return (
            assembled(cuts, lambda box: self._put(x, value, rank, box)) if any(cuts) else whole(self._put(x, value, rank, ()))
        )

    def _put(self, x: Partition, value: Partition, rank: int, box: Box) -> Interval:
        old = x.over(box)
        if not all(meets(part, region) for part, region in zip(box, self.region, strict=False)):
            return old
        new = value.smashed if not value.cuts or not box else value.over(self._given(box, rank))
        return new if self.exact else old.join(new)

    def _given(self, box: Box, rank: int) -> Box:
        """The box of the value that is put into a box."""
        target = self.target(box)
        return target[len(target) - rank :] if rank <= len(target) else (FULL,) * rank

    def _edges(self, axis: int) -> Iterator[int]:
        return (end for end in self.region[axis] if end)

    def _moved(self, value: Partition, axis: int, rank: int) -> Iterator[int]:
        """The cuts of the value, as they lie in the source."""
        shift = len(self.axes) - rank
        if axis in self.axes and value.cuts and 0 <= (place := self.axes.index(axis) - shift) < rank:
            yield from (cut + self.region[axis][0] for cut in value.cuts[place])


def _least(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


def meets(part: Segment, region: Segment) -> bool:
    """Whether two segments of an axis overlap."""
    (start, stop), (first, last) = part, region
    return (last is None or start < last) and (stop is None or stop > first)


def everything(rank: int) -> Box:
    """The box of all elements."""
    return (FULL,) * rank


def along(rank: int, axis: int, segment: Segment) -> Selection:
    """A segment of one axis."""
    region = tuple(segment if place == axis else FULL for place in range(rank))
    return Selection(region, tuple(range(rank)))


def indexed(index: Value, shape: Shape) -> Selection | None:
    """The selection of an index expression of numbers, slices, new axes and an ellipsis; ``None`` if it holds anything else."""
    items = _written_out(index, len(shape))
    if items is None:
        return None
    region: list[Segment] = []
    axes: list[int | None] = []
    exact = True
    for item in items:
        if item is None:
            axes.append(None)
            continue
        found, aligned = _chosen(item, shape[len(region)])
        exact = exact and found is not None and not isinstance(item, DimExpr)
        if not isinstance(item, (int, DimExpr)):
            axes.append(len(region) if aligned else None)
        region.append(found or FULL)
    return Selection(tuple(region), tuple(axes), exact)


def _written_out(index: Value, rank: int) -> list[Dim | SliceVal | None] | None:
    """The items with the ellipsis and trailing axes as full slices."""
    listed = index if isinstance(index, tuple) else (index,)
    items: list[Dim | SliceVal | EllipsisType | None] = [
        item for item in listed if item is None or type(item) is int or isinstance(item, (DimExpr, SliceVal, EllipsisType))
    ]
    if len(items) < len(listed):
        return None
    room = rank - sum(item is not None and item is not ... for item in items)
    if room < 0 or items.count(...) > 1:
        return None
    at = items.index(...) if ... in items else len(items)
    plain = [item for item in items if item is not ...]
    return [*plain[:at], *[_ALL] * room, *plain[at:]]


#: A slice of a whole axis.
_ALL: Final = SliceVal(None, None, None)


def _chosen(item: Dim | SliceVal, size: Dim) -> tuple[Segment | None, bool]:
    """The segment that an item takes, or a counter takes one element of (``None``: some of the axis), and whether it goes
    through it step by step."""
    if isinstance(item, int):
        return _number(item, size), False
    if isinstance(item, DimExpr):
        return _counted(item, size), False
    if not (_is_bound(start := item.start) and _is_bound(stop := item.stop) and _is_bound(step := item.step)) or step == 0:
        return None, False
    if isinstance(size, int):
        found = range(size)[slice(start, stop, step)]
        if step not in (None, 1) or not found:
            return None, False
        return (found.start, None if found.stop == size else found.stop), True
    if step in (None, 1) and (start is None or start >= 0) and (stop is None or stop > (start or 0)):
        return (start or 0, stop), True
    return None, False


def _counted(item: DimExpr, size: Dim) -> Segment | None:
    """The elements that a number between two takes."""
    low, high = bounds(item)
    if low is None or low < 0:
        return None
    return (low, None if high is None or high + 1 == size else high + 1)


def _is_bound(part: Value) -> TypeGuard[int | None]:
    return part is None or type(part) is int


def _number(item: int, size: Dim) -> Segment | None:
    if item < 0:
        if not isinstance(size, int) or item < -size:
            return None
        item += size
    return (item, None if item + 1 == size else item + 1)
