"""Reshapes that put an axis at another place than its elements have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dllint.domains.dim import Dim, DimExpr, differs, exact_quotient, product, same
from dllint.domains.shape import Shape
from dllint.ops.axes import varies
from dllint.ops.carried import Block, blocks


@dataclass(frozen=True, slots=True)
class Moved:
    """An axis that a reshape moves. ``before`` is the order into which the axes of the source are to be permuted before the
    reshape, ``shape`` that to which it is to be reshaped and ``after`` the order for the axes of the result."""

    axis: int
    place: int
    before: tuple[int, ...]
    shape: Shape
    after: tuple[int, ...]


def moved_axis(source: Shape, target: Shape) -> Moved | None:
    """The axis of ``source`` whose size the reshape to ``target`` has at another place, where it holds other elements.

    The sizes show it: with that axis put elsewhere before the reshape, or after it, each axis that is left is kept, split or
    merged with its neighbours. Nothing is proved where axes may have been split and their parts merged in order, as
    (batch · heads, features) may become (batch, heads · features) whatever the numbers are.
    """
    for block in blocks(source, target):
        if any(_is_assumed(source[axis]) for axis in block.source):
            continue
        if len(block.source) > 1 and len(block.target) > 1 and not _is_in_order(block, source, target):
            for axis, place in _candidates(block, source, target):
                found = _turned(axis, place, block, source, target)
                if found is not None:
                    return found
    return None


def _candidates(block: Block, source: Shape, target: Shape) -> Iterator[tuple[int, int]]:
    """Axes with the same size, which no other axis of the block has. A size that is computed may well be 1, so that nothing
    moves."""
    for axis in block.source:
        size = source[axis]
        if _may_be_one(size):
            continue
        others = [source[other] for other in block.source if other != axis]
        places = [place for place in block.target if same(target[place], size)]
        if len(places) == 1 and size not in others and not _ends_rows(block, source, axis, places[0]):
            yield axis, places[0]


def _ends_rows(block: Block, source: Shape, axis: int, place: int) -> bool:
    """Whether an axis becomes the last one behind rows of which the batch is a part, and nothing shows that there is more than
    one place in each sample: ``x.view(-1, x.size(1))`` behind layers that leave one."""
    return block.source[0] == 0 and place == block.target[-1] and all(_may_be_one(source[n]) for n in block.source if n > axis)


def _may_be_one(size: Dim) -> bool:
    return not differs(size, 1) and not varies(size)


def _is_assumed(size: Dim) -> bool:
    """Whether an axis may not be there at all: of a batch that a layer does not need."""
    return isinstance(size, DimExpr) and size.symbol is not None and size.symbol.optional


def _is_in_order(block: Block, source: Shape, target: Shape) -> bool:
    """Whether the axes of a block may be split so that the parts, in their order, can be merged to what it is reshaped to."""
    ends = [[product(sizes[:i]) for i in range(1, len(sizes))] for sizes in _sizes(block, source, target)]
    return all(_divides(a, b) or _divides(b, a) for a in ends[0] for b in ends[1])


def _sizes(block: Block, source: Shape, target: Shape) -> tuple[Shape, Shape]:
    return tuple(source[axis] for axis in block.source), tuple(target[place] for place in block.target)


def _divides(size: Dim, other: Dim) -> bool:
    return exact_quotient(other, size) is not None


def _turned(axis: int, place: int, block: Block, source: Shape, target: Shape) -> Moved | None:
    kept = tuple(range(len(target)))
    for end in block.target:
        after = _with(kept, place, end)
        shape = tuple(target[i] for i in after)
        if not _mixes(source, shape):
            return Moved(axis, place, tuple(range(len(source))), shape, tuple(after.index(i) for i in kept))
    for end in block.source:
        before = _with(tuple(range(len(source))), axis, end)
        if not _mixes(tuple(source[i] for i in before), target):
            return Moved(axis, place, before, target, kept)
    return None


def _with(order: tuple[int, ...], axis: int, place: int) -> tuple[int, ...]:
    rest = [other for other in order if other != axis]
    return (*rest[:place], axis, *rest[place:])


def _mixes(source: Shape, target: Shape) -> bool:
    return any(len(block.source) > 1 and len(block.target) > 1 for block in blocks(source, target))
