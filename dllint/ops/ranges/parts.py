"""Transfer functions for the parts of tensors: concatenation, splitting, slicing, layout, assignment.

    @parts_of("cat")
    def concatenated(call: PartsCall) -> Partition | None: ...

``None``: nothing better is known than one interval. Operations that work element by element need no declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Final

from dllint.domains.dim import differs, total
from dllint.domains.interval import Interval
from dllint.domains.partition import Box, Partition, assembled, common, whole
from dllint.domains.shape import Shape, normalize_axis
from dllint.ir.program import Op
from dllint.ir.values import SliceVal, Value
from dllint.ops.kinds import having
from dllint.ops.operand import is_axis_list
from dllint.ops.ranges.selection import Selection, along, everything, indexed
from dllint.ops.ranges.spec import held_by, is_float, shape_of
from dllint.ops.sizes import whole_numbers
from dllint.ops.traits import Trait

_POINTWISE: Final = having(Trait.POINTWISE) - having(Trait.TAKES_DATA)


@dataclass(frozen=True, slots=True)
class PartsCall:
    """One result of a performed operation; ``parts`` gives the parts of an operand. ``latest`` is the ``id`` of what the latest
    assignment to elements of ``x`` before it has made."""

    op: Op
    index: int
    parts: Callable[[Value], Partition]
    latest: int = 0

    def arg(self, name: str) -> Value:
        """An argument as the program has it."""
        return self.op.args.get(name)

    @property
    def shape(self) -> Shape | None:
        """The shape of ``x``, if its rank is known."""
        return shape_of(self.op.args.get("x"))

    def axis(self, name: str = "dim", default: int = 0) -> int | None:
        """An axis of ``x``."""
        dim = self.op.args.get(name)
        dim = default if dim is None else dim
        return normalize_axis(dim, len(self.shape)) if isinstance(dim, int) and self.shape else None


Transfer = Callable[[PartsCall], Partition | None]
PARTS: dict[str, Transfer] = {}
Select = Callable[[PartsCall, Shape], Selection | None]
#: Operations whose result is a selection of the elements of ``x``.
SELECTIONS: dict[str, Select] = {}


def parts_of(*names: str) -> Callable[[Transfer], Transfer]:
    """Declare the parts of the results of operations."""

    def declare(transfer: Transfer) -> Transfer:
        PARTS.update(dict.fromkeys(names, transfer))
        return transfer

    return declare


def _selects(*names: str) -> Callable[[Select], Select]:
    def declare(select: Select) -> Select:
        SELECTIONS.update(dict.fromkeys(names, select))
        PARTS.update(dict.fromkeys(names, _selected))
        return select

    return declare


def selection(op: Op, index: int) -> Selection | None:
    """The selection of the operand ``x`` that a result holds, where it is known."""
    select, shape = SELECTIONS.get(op.kind), shape_of(op.args.get("x"))
    if select is None or shape is None:
        return None
    found = select(PartsCall(op, index, _never), shape)
    result = shape_of(op.outputs[index])
    return found if found is not None and result is not None and len(result) == len(found.axes) else None


def _never(value: Value) -> Partition:
    raise AssertionError("which elements a result has does not depend on what they are")


def _selected(call: PartsCall) -> Partition | None:
    """A part of the operand. Of whole numbers without parts of their own, it is not known whether the ends are among them."""
    found, x = selection(call.op, call.index), call.parts(call.arg("x"))
    exact = found is not None and found.exact and is_float(call.op.outputs[call.index].dtype)
    return None if found is None or not (exact or x.cuts) else found.take(x)


def is_pointwise(op: Op) -> bool:
    """Whether an operation computes each element from those of its operands at the same place."""
    return op.kind in _POINTWISE


@_selects("getitem")
def _item(call: PartsCall, shape: Shape) -> Selection | None:
    return indexed(call.arg("index"), shape)


@_selects("split", "chunk", "tensor_split")
def _share(call: PartsCall, shape: Shape) -> Selection | None:
    """One of the parts that a tensor is split into. They follow each other if they are as long as the tensor together: places
    to cut that fall give parts that overlap."""
    axis = call.axis()
    outputs = [shape_of(out) for out in call.op.outputs]
    if axis is None or any(out is None or len(out) != len(shape) for out in outputs):
        return None
    every = [out[axis] for out in outputs if out is not None]
    sizes = whole_numbers(every[: call.index + 1])
    if sizes is None or differs(total(every), shape[axis]):
        return None
    stop = sum(sizes)
    return along(len(shape), axis, (stop - sizes[-1], None if stop == shape[axis] else stop))


@_selects("unbind", "select")
def _one(call: PartsCall, shape: Shape) -> Selection | None:
    axis = call.axis()
    number = call.index if call.op.kind == "unbind" else call.arg("index")
    return None if axis is None else indexed((*(SliceVal(None, None, None),) * axis, number), shape)


@_selects("narrow")
def _narrowed(call: PartsCall, shape: Shape) -> Selection | None:
    axis, start, length = call.axis(), call.arg("start"), call.arg("length")
    if axis is None or not isinstance(start, int) or not isinstance(length, int) or start < 0:
        return None
    return indexed((*(SliceVal(None, None, None),) * axis, SliceVal(start, start + length, None)), shape)


@_selects("transpose", "swapaxes")
def _swapped(call: PartsCall, shape: Shape) -> Selection | None:
    names = [name for name in ("dim0", "dim1", "axis0", "axis1", "axis2") if call.arg(name) is not None]
    first, second = (call.axis(name) for name in names[:2]) if len(names) >= 2 else (None, None)
    if first is None or second is None:
        return None
    axes = list(range(len(shape)))
    axes[first], axes[second] = second, first
    return Selection(everything(len(shape)), tuple(axes))


@_selects("t")
def _turned(call: PartsCall, shape: Shape) -> Selection | None:
    return Selection(everything(len(shape)), tuple(reversed(range(len(shape)))))


@_selects("permute")
def _permuted(call: PartsCall, shape: Shape) -> Selection | None:
    dims = call.arg("dims")
    if not is_axis_list(dims) or len(dims) != len(shape):
        return None
    return Selection(everything(len(shape)), tuple(dim % len(shape) for dim in dims))


@_selects("view", "reshape", "flatten", "unflatten", "squeeze", "unsqueeze", "contiguous", "clone", "detach", "identity")
def _laid_out(call: PartsCall, shape: Shape) -> Selection | None:
    """The axes that stay as they are, counted from either end; those between them are mixed."""
    result = shape_of(call.op.outputs[call.index])
    if result is None or call.op.spelled.endswith("_"):
        return None
    front = _equal(shape, result)
    back = min(_equal(shape[::-1], result[::-1]), len(shape) - front, len(result) - front)
    axes: list[int | None] = [place if place < front else None for place in range(len(result))]
    for place in range(1, back + 1):
        axes[-place] = len(shape) - place
    return Selection(everything(len(shape)), tuple(axes))


@_selects("expand", "broadcast_to", "expand_as")
def _grown(call: PartsCall, shape: Shape) -> Selection | None:
    """Axes of one element are repeated, and new ones stand in front."""
    result = shape_of(call.op.outputs[call.index])
    if result is None or len(result) < len(shape):
        return None
    new = len(result) - len(shape)
    axes = [place if size == result[new + place] else None for place, size in enumerate(shape)]
    return Selection(everything(len(shape)), (*(None,) * new, *axes))


def _equal(a: Shape, b: Shape) -> int:
    """The number of leading sizes that two shapes have in common."""
    number = 0
    for one, other in zip(a, b, strict=False):
        if one != other:
            break
        number += 1
    return number


#: As many elements of a literal are parts of their own.
_WRITTEN: Final = 4096


@parts_of("tensor", "array")
def _written(call: PartsCall) -> Partition | None:
    """Every element of a literal."""
    shape, data = shape_of(call.op.output), call.arg("data")
    sizes = whole_numbers(shape) if shape else None
    if not sizes or not isinstance(data, tuple) or call.op.output.stale:
        return None
    numbers = list(_numbers(data, len(sizes)))
    if len(numbers) != prod(sizes) or not 1 < len(numbers) <= _WRITTEN:
        return None
    dtype = call.op.output.dtype
    cells = tuple(held_by(dtype, call.op.framework, call.parts(number).smashed, number) for number in numbers)
    return Partition(tuple(tuple(range(1, size)) for size in sizes), cells)


def _numbers(data: Value, depth: int) -> Iterator[Value]:
    """The numbers of nested tuples, row by row."""
    if depth == 0:
        yield data
    elif isinstance(data, tuple):
        for item in data:
            yield from _numbers(item, depth - 1)


@parts_of("phi")
def _either(call: PartsCall) -> Partition | None:
    return call.parts(call.arg("x")).join(call.parts(call.arg("y")))


#: A piece of what is put together: from where to where it lies along the axis, and its parts.
_Piece = tuple[int, int | None, Partition]


@parts_of("cat")
def _concatenated(call: PartsCall) -> Partition | None:
    tensors, axis, rank = call.arg("tensors"), joined_axis(call.op), call.op.output.type.rank
    shapes = [shape_of(tensor) for tensor in tensors] if isinstance(tensors, tuple) else []
    if axis is None or rank is None or not isinstance(tensors, tuple):
        return None
    pieces: list[_Piece] = []
    start = 0
    for place, (tensor, shape) in enumerate(zip(tensors, shapes, strict=True)):
        if shape is None or axis >= len(shape):
            return None
        size = shape[axis]
        if not isinstance(size, int):
            rest = reduce(Interval.join, (call.parts(other).smashed for other in tensors[place:]))
            pieces.append((start, None, whole(rest)))
            break
        if size:
            pieces.append((start, start + size, call.parts(tensor)))
        start += size
    return _put_together(pieces, axis, rank) if pieces else None


def joined_axis(op: Op) -> int | None:
    """The axis of a concatenation or stack."""
    dim, result = op.args.get("dim"), shape_of(op.output)
    dim = 0 if dim is None and op.framework in ("torch", "numpy") else dim
    return normalize_axis(dim, len(result)) if isinstance(dim, int) and result else None


def _put_together(pieces: list[_Piece], axis: int, rank: int) -> Partition:
    """Pieces that follow each other along an axis."""
    inner = {start + cut for start, _, piece in pieces if piece.cuts for cut in piece.cuts[axis]}
    ends = sorted({start for start, _, _ in pieces[1:]} | inner)
    shared = common(piece.cuts for _, _, piece in pieces) or ((),) * rank
    cuts = tuple(tuple(ends) if place == axis else shared[place] for place in range(rank))
    return assembled(cuts, lambda box: _over_pieces(pieces, axis, box)) if any(cuts) else whole(pieces[0][2].smashed)


def _over_pieces(pieces: list[_Piece], axis: int, box: Box) -> Interval:
    start, stop = box[axis]
    touched = []
    for begin, end, piece in pieces:
        if (stop is None or begin < stop) and (end is None or start < end):
            inner = (max(start - begin, 0), None if stop is None or (end is not None and stop >= end) else stop - begin)
            touched.append(piece.over((*box[:axis], inner, *box[axis + 1 :])))
    return reduce(Interval.join, touched)


@parts_of("stack")
def _stacked(call: PartsCall) -> Partition | None:
    tensors, axis, rank = call.arg("tensors"), joined_axis(call.op), call.op.output.type.rank
    if axis is None or rank is None or not isinstance(tensors, tuple) or not tensors:
        return None
    pieces = [call.parts(tensor) for tensor in tensors]
    inner = common(piece.cuts for piece in pieces) or ((),) * (rank - 1)
    cuts = (*inner[:axis], tuple(range(1, len(tensors))), *inner[axis:])

    def part(box: Box) -> Interval:
        start, stop = box[axis]
        return reduce(Interval.join, (piece.over((*box[:axis], *box[axis + 1 :])) for piece in pieces[start:stop]))

    return assembled(cuts, part) if any(cuts) else whole(pieces[0].smashed)
