"""The number of axes that inputs usually have, where no operation asks for one number only.

A run has shown that an input of an entry has at least so many axes: ``x[:, -1, :]`` needs three, ``x.mean((2, 3))`` four. It is
taken to have as many as the operation that needs most of them names, and what was made of it is told again. That proves
nothing: it is done when a run is over, faults are not looked for again, and sizes are symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from dllint.domains.dim import DimExpr, symbol
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.ir.program import Op, Program, TensorVal
from dllint.ir.values import SliceVal, Value
from dllint.lower import demands, late
from dllint.ops.asked_shapes import POINTWISE, behind
from dllint.ops.kinds import having
from dllint.ops.traits import Trait

if TYPE_CHECKING:
    from dllint.lower.parts import Refines

Args = Mapping[str, Value]
#: Fewer axes than this are no hint: what takes a matrix mostly takes a batch of them, too.
_FEWEST: Final = 3
_MOST: Final = 6
#: So many tensors of a program get their rank so.
_ROOTS: Final = 16
#: So many operations are gone back through from the one that names axes.
_FURTHEST: Final = 16


def settle(m: Refines, program: Program) -> None:
    """Give the inputs of unknown rank, and what is of unknown make, the rank that they usually have."""
    roots: dict[int, tuple[TensorVal, int]] = {}
    for op in program.ops:
        for x, rank in _named(op):
            root, count = _root(x, rank)
            if root.id not in roots or roots[root.id][1] < count:
                roots[root.id] = root, count
    for root, rank in [*roots.values()][:_ROOTS]:
        if isinstance(root.type.shape, Unknown):
            demands.settle(m, root, sizes(m, root, rank))
            late.complete_all(m.journal, program)


def sizes(m: Refines, x: TensorVal, rank: int) -> Shape:
    """A symbol for each of the axes that a tensor is taken to have: that by which the program has asked for the size, or a new
    one."""
    asked = [[m.trail.derived.get(("size", x.id, place)) for place in (axis, axis - rank)] for axis in range(rank)]
    found = [next((size for size in sizes if isinstance(size, DimExpr)), None) for sizes in asked]
    return tuple(new if size is None else size for size, new in zip(found, _axes(rank), strict=True))


def _is_measured(op: Op) -> bool:
    """Whether an operation stands under a condition on the rank or on sizes."""
    return any(map(demands.measures, op.path))


def _root(x: TensorVal, rank: int) -> tuple[TensorVal, int]:
    """The tensor from whose axes one has its own, as far as that is known, and its rank."""
    shape: Shape = _axes(rank)
    for _ in range(_FURTHEST):
        source = behind(x.producer, shape) if x.producer is not None else None
        if source is None or not isinstance(source[0].type.shape, Unknown):
            break
        x, shape = source
    return x, len(shape)


def _axes(rank: int) -> Shape:
    return tuple(symbol(f"n{axis}") for axis in range(rank))


def _named(op: Op) -> Iterator[tuple[TensorVal, int]]:
    """The operands of unknown rank, with that which an operation's other arguments suggest."""
    find = _NAMED.get(op.kind)
    if find is None or op.faults or _is_measured(op):
        return
    for name, other in (("x", "y"), ("y", "x")) if op.kind in POINTWISE else (("x", ""),):
        x = op.args.get(name)
        if isinstance(x, TensorVal) and isinstance(x.type.shape, Unknown):
            rank = find(op.args) if not other else _rank_of(op.args.get(other))
            if rank is not None and rank <= _MOST:
                yield x, rank


def _of_index(args: Args) -> int | None:
    """An index that names every axis: it ends with one that is kept whole, or names three at least."""
    index = args.get("index")
    if not isinstance(index, tuple):
        return None
    parts = [part for part in index if part is not None]
    if not all(isinstance(part, SliceVal) or (isinstance(part, int) and not isinstance(part, bool)) for part in parts):
        return None
    last = parts[-1] if parts else None
    is_whole = isinstance(last, SliceVal) and last.start is None and last.stop is None
    return len(parts) if len(parts) >= (_FEWEST - is_whole) else None


def _of_axes(args: Args) -> int | None:
    """Axes that are counted from the first one: the last of them is the last one of the operand."""
    given = [args.get(name) for name in ("dim", "dims", "dim0", "dim1")]
    axes = [axis for value in given for axis in (value if isinstance(value, tuple) else (value,)) if axis is not None]
    if not axes or not all(isinstance(axis, int) and not isinstance(axis, bool) and axis >= 0 for axis in axes):
        return None
    rank = max(axis for axis in axes if isinstance(axis, int)) + 1
    return rank if rank >= _FEWEST else None


def _rank_of(other: Value) -> int | None:
    """What is combined element by element has the rank of the other operand, if that has several axes."""
    rank = other.type.rank if isinstance(other, TensorVal) else None
    return rank if rank is not None and rank >= _FEWEST else None


def _of_other(_: Args) -> int | None:
    return None


_NAMED: Final[Mapping[str, Callable[[Args], int | None]]] = {
    "getitem": _of_index,
    **dict.fromkeys(having(Trait.PERMUTES) | having(Trait.PROBABILITIES) | having(Trait.LOG_PROBABILITIES), _of_axes),
    **dict.fromkeys(having(Trait.REDUCES), _of_axes),
    **dict.fromkeys(POINTWISE, _of_other),
}
