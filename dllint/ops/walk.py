"""Looking through operations: back to what a tensor's elements come from, and on to what takes them.

Every walk names the operations it goes through by their traits (``ops.kinds.having``). A step is taken only along the operand
whose elements the operation hands on, never along an index or a mask, and not where a library function merely borrows an
operation for its shape (``ops.ranges.other_numbers``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does
from dllint.ops.ranges.other_numbers import of_other_function
from dllint.ops.traits import Trait

#: The operations that take any result of an operation.
Takers = Callable[[Op], list[Op]]
#: So many steps are taken on the way to what takes a result.
_FARTHEST = 16


def handed_on(op: Op) -> TensorVal | None:
    """The operand whose elements an operation hands on; ``None`` if it is another function of the same shape."""
    x = op.args.get("x", op.args.get("data"))
    return x if isinstance(x, TensorVal) and of_other_function(op) is None else None


def behind(value: TensorVal, through: Collection[str]) -> TensorVal:
    """The tensor behind a row of operations."""
    while (x := _step_back(value, through)) is not None:
        value = x
    return value


def _step_back(value: TensorVal, through: Collection[str]) -> TensorVal | None:
    """The tensor behind one of the operations; ``None`` for the places of elements that an ordering gives beside them."""
    maker = value.producer
    if maker is None or maker.kind not in through or (value.index and does(maker, Trait.RANKS)):
        return None
    return handed_on(maker)


def maker_behind(value: Value, through: Collection[str]) -> Op | None:
    """The operation that made what is behind a row of operations; ``None`` if there is none, or it is no tensor."""
    return behind(value, through).producer if isinstance(value, TensorVal) else None


def steps_back(value: Value, through: Collection[str]) -> Iterator[Op]:
    """The operations behind a tensor, nearest first, as far as ``through`` reaches, and the one that it stops at."""
    while isinstance(value, TensorVal) and (maker := value.producer) is not None:
        yield maker
        value = _step_back(value, through)


def sole_taker(op: Op, through: Collection[str], takers: Takers) -> Op | None:
    """The operation that alone takes a result, on from a row of operations each of which alone takes the one before."""
    for _ in range(_FARTHEST):
        found = takers(op)
        if len(found) != 1:
            return None
        if found[0].kind not in through or handed_on(found[0]) not in op.outputs:
            return found[0]
        op = found[0]
    return None


def all_takers(op: Op, through: Collection[str], takers: Takers) -> Iterator[Op]:
    """The operations that take a result, on from all rows of operations that hand it on."""
    todo, seen = [op], {id(op)}
    while todo:
        current = todo.pop()
        for taker in takers(current):
            if id(taker) in seen:
                continue
            seen.add(id(taker))
            if taker.kind in through and handed_on(taker) in current.outputs:
                todo.append(taker)
            else:
                yield taker


def holds_whole_rows(before: Value, after: Value) -> bool:
    """Whether the last axis of a tensor holds whole rows of the tensor that was laid out anew to make it: one row, or several
    one after the other. Sizes that are not known count as that."""
    sizes = [
        value.shape[-1] if isinstance(value, TensorVal) and isinstance(value.shape, tuple) and value.shape else None
        for value in (before, after)
    ]
    row, last = sizes
    return not isinstance(row, int) or not isinstance(last, int) or (row > 0 and last % row == 0)
