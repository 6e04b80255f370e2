"""What fails if a tensor has lost its batch axis, as a batch of one sample does in a ``squeeze()``."""

from __future__ import annotations

from typing import Final

from dllint.analysis.facts import Facts
from dllint.domains.lattice import Unknown
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does, having
from dllint.ops.traits import Trait

#: Operations that refuse a tensor with an axis less (run with torch 2.13): losses that compare shapes, layers that count axes.
_COUNTING: Final = having(Trait.COUNTS_AXES)
#: Steps that leave the axes what they are, or change the size of the last one alone.
_SAME_AXES: Final = having(Trait.KEEPS_SHAPE) | having(Trait.DENSE)
_DEEPEST: Final = 8


def needs_batch_axis(op: Op, facts: Facts) -> bool:
    """Whether something takes the result, as it is or element by element, that fails without the first axis."""
    todo, seen = [(op, 0)], set[int]()
    flat = _rank(op) == len(("batch", "squeezed"))
    while todo:
        current, depth = todo.pop()
        for taker in facts.takers(current):
            if id(taker) in seen or depth > _DEEPEST:
                continue
            seen.add(id(taker))
            if _fails_without(taker) or (flat and does(taker, Trait.CONCATENATES)):
                return True
            if taker.kind in _SAME_AXES:
                todo.append((taker, depth + 1))
    return False


def _fails_without(op: Op) -> bool:
    """Whether an operation fails on an operand of one axis less, or takes another axis."""
    if op.kind in _COUNTING:
        return True
    if does(op, Trait.SUBSCRIPTS):
        index = op.args.get("index")
        return isinstance(index, tuple) and sum(part is not None and part is not ... for part in index) > 1
    dim = op.args.get("dim")
    return isinstance(dim, int) and not isinstance(dim, bool) and dim > 0


def _rank(op: Op) -> int | None:
    """How many axes there were before any was dropped. Of two, a batch of one leaves a number, which cannot be joined."""
    taken = op.args.get("x")
    return len(taken.shape) if isinstance(taken, TensorVal) and not isinstance(taken.shape, Unknown) else None
