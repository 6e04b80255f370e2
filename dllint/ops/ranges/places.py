"""Origin of the elements of a part of a result: traced through slices, splits, concatenations and assignments to the tensor
that computed them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, TypeVar

from dllint.domains.dim import Dim
from dllint.domains.dtype import DType
from dllint.domains.interval import Interval
from dllint.domains.partition import FULL, Box, Segment, inside
from dllint.domains.shape import Shape
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.ranges.parts import joined_axis, selection
from dllint.ops.ranges.selection import Selection, indexed, meets
from dllint.ops.ranges.spec import PartView, format_of, maker_of, shape_of
from dllint.ops.sizes import whole_numbers

T = TypeVar("T")
_JOINS: Final = frozenset({"cat", "stack"})


@dataclass(frozen=True, slots=True)
class Place:
    """Elements of a tensor beside those of a part of a result: along each axis from ``starts`` to before ``stops``, in step
    with the axis of the result that ``axes`` names (counted from the last one, so that broadcasting keeps it), or one element
    for all of it (``None``). Places of one result are the same elements if tensor, axes and starts are."""

    value: TensorVal
    axes: tuple[int | None, ...]
    starts: tuple[int, ...]
    stops: tuple[int | None, ...] = field(compare=False)

    @property
    def box(self) -> Box:
        """The elements, as a box of the tensor."""
        return tuple(zip(self.starts, self.stops, strict=True))

    def range(self, view: PartView) -> Interval:
        """The range of the elements, of the tensor as it was made, before later assignments."""
        found = view.produced(self.value) if self.value.stale else view.taken(self.value)
        return found.over(self.box) if len(found.cuts) == len(self.axes) else found.smashed


def result(value: TensorVal, box: Box) -> Place | None:
    """The part of a result in a box; no box at all stands for all of it."""
    shape = shape_of(value)
    if shape is None:
        return None
    return _place(value, box or (FULL,) * len(shape), tuple(range(-len(shape), 0)))


def _place(value: TensorVal, box: Box, axes: tuple[int | None, ...]) -> Place:
    return Place(value, axes, tuple(start for start, _ in box), tuple(stop for _, stop in box))


def aligned(place: Place, value: TensorVal) -> Place | None:
    """The elements of an operand that those of an operation by element are computed from."""
    shape, given = shape_of(place.value), shape_of(value)
    if value.stale or shape is None or given is None or len(given) > len(shape):
        return None
    front = len(shape) - len(given)
    return _broadcast(value, given, shape[front:], place.box[front:], place.axes[front:])


def _broadcast(
    value: TensorVal, given: Shape, sizes: tuple[Dim | None, ...], box: Box, axes: tuple[int | None, ...]
) -> Place | None:
    """A tensor beside axes of these ``sizes``; ``None`` unless each of its own is known to be the same, or 1."""
    out: list[tuple[Segment, int | None]] = []
    for size, full, segment, axis in zip(given, sizes, box, axes, strict=True):
        if size != 1 and size != full:
            return None
        out.append((FULL, None) if size == 1 else (segment, axis))
    return _place(value, tuple(segment for segment, _ in out), tuple(axis for _, axis in out))


def origin(place: Place, view: PartView) -> Place | int | float:
    """The tensor or number from which the elements were taken, traced as far as possible."""
    while True:
        before = _before(place, view)
        if before is None or not isinstance(before, Place):
            return place if before is None else before
        place = before


def _before(place: Place, view: PartView) -> Place | int | float | None:
    maker = maker_of(place.value)
    if maker is None or maker.varying or place.value.several:
        return None
    if maker.kind == "setitem":
        found = _assigned(place, maker, view)
    else:
        found = _joined(place, maker) if maker.kind in _JOINS else _selected(place, maker)
        if found is not None and found.value.stale:
            return None
    same = not isinstance(found, Place) or (isinstance(found.value.dtype, DType) and found.value.dtype == place.value.dtype)
    return found if same else None


def _selected(place: Place, maker: Op) -> Place | None:
    """What a slice, a share or another layout has of its operand."""
    x, taken = maker.args.get("x"), selection(maker, place.value.index)
    if taken is None or not taken.exact or maker.spelled.endswith("_") or not isinstance(x, TensorVal):
        return None
    return _along(x, taken, place)


def _along(x: TensorVal, taken: Selection, place: Place) -> Place | None:
    """The elements of ``x`` that a place of a selection holds; ``None`` if the axes of the two mix."""
    box, axes, shape = taken.source(place.box), dict(zip(taken.axes, place.axes, strict=True)), shape_of(x)
    for axis, segment in enumerate(box):
        if axis not in axes and (shape is None or not _is_one(segment, shape[axis])):
            return None
    return _place(x, box, tuple(axes.get(axis) for axis in range(len(box))))


def _is_one(segment: Segment, size: Dim) -> bool:
    """Whether a segment of an axis is one element."""
    start, stop = segment
    return (size if stop is None else stop) == start + 1


def _joined(place: Place, maker: Op) -> Place | None:
    """The operand of a concatenation that contains the whole place."""
    given, axis = maker.args.get("tensors"), joined_axis(maker)
    if axis is None or not isinstance(given, tuple):
        return None
    tensors = tuple(tensor for tensor in given if isinstance(tensor, TensorVal))
    if len(tensors) < len(given):
        return None
    return _of_stack(place, tensors, axis) if maker.kind == "stack" else _of_cat(place, tensors, axis)


def _of_stack(place: Place, tensors: tuple[TensorVal, ...], axis: int) -> Place | None:
    segment = place.box[axis]
    if not _is_one(segment, len(tensors)) or segment[0] >= len(tensors):
        return None
    return _place(tensors[segment[0]], _without(place.box, axis), _without(place.axes, axis))


def _without(items: tuple[T, ...], axis: int) -> tuple[T, ...]:
    return (*items[:axis], *items[axis + 1 :])


def _of_cat(place: Place, tensors: tuple[TensorVal, ...], axis: int) -> Place | None:
    shapes = [shape_of(tensor) or () for tensor in tensors]
    start, stop = place.box[axis]
    if any(len(shape) != len(place.axes) for shape in shapes):
        return None
    sizes = whole_numbers(shape[axis] for shape in shapes[:-1])
    if sizes is None:
        return None
    begins = list(accumulate(sizes, initial=0))
    ends: list[int | None] = [*begins[1:], None]
    for tensor, begin, end in zip(tensors, begins, ends, strict=True):
        if inside(((start, stop),), ((begin, end),)):
            segment = (start - begin, None if stop is None or stop == end else stop - begin)
            return _place(tensor, (*place.box[:axis], segment, *place.box[axis + 1 :]), place.axes)
    return None


def _assigned(place: Place, maker: Op, view: PartView) -> Place | int | float | None:
    """The content of a place after an assignment: elements of the value, or the previous ones."""
    x, value, shape = maker.args.get("x"), maker.args.get("value"), shape_of(maker.args.get("x"))
    taken = indexed(maker.args.get("index"), shape) if shape is not None else None
    if not isinstance(x, TensorVal) or taken is None or not taken.exact or maker.repeated or not view.unwritten(maker, x):
        return None
    if inside(place.box, taken.region):
        return _number(value, x, maker) if isinstance(value, (int, float)) else _stored(place, taken, value, x)
    apart = not all(map(meets, place.box, taken.region))
    return _place(x, place.box, place.axes) if apart else None


def _number(value: float, x: TensorVal, maker: Op) -> float | None:
    """A number that the element type holds as it is."""
    return value if format_of(x.dtype, maker.framework).round(value) == value else None


def _stored(place: Place, taken: Selection, value: Value, x: TensorVal) -> Place | None:
    """The elements of an assigned tensor that lie in a place."""
    given, front = shape_of(value), len(taken.axes)
    shape = shape_of(x)
    if given is None or shape is None or not isinstance(value, TensorVal) or value.stale or len(given) > front:
        return None
    front -= len(given)
    axes = taken.axes[front:]
    sizes = tuple(1 if axis is None else _length(taken.region[axis], shape[axis]) for axis in axes)
    box = taken.target(place.box)[front:]
    return _broadcast(value, given, sizes, box, tuple(None if axis is None else place.axes[axis] for axis in axes))


def _length(segment: Segment, size: Dim) -> Dim | None:
    start, stop = segment
    end = size if stop is None else stop
    return end - start if isinstance(end, int) else end if start == 0 else None
