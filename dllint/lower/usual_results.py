"""The number of axes that results usually have, where the operation could give another number, too.

``y.squeeze(1)`` takes an axis away, or leaves it in place if its size is not 1: nobody writes it for the latter.
``torch.tensor([w, h])`` of what is not known makes a vector of numbers, ``torch.zeros(width)`` of a parameter one, too, and an
unknown activation keeps the shape (:mod:`dllint.lower.roles`). As with inputs (:mod:`dllint.lower.usual_ranks`), that proves
nothing: it is done when a run is over, what was made of the results is told again without a look for faults, and sizes are
symbols.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.lower import demands, late, roles, usual_ranks
from dllint.lower.lazy import Arithmetic
from dllint.ops.kinds import having
from dllint.ops.traits import Trait

if TYPE_CHECKING:
    from dllint.ir.program import Program
    from dllint.lower.parts import Refines

Args = Mapping[str, Value]


def settle(m: Refines, program: Program) -> None:
    """Give results of unknown rank, and what unknown activations were given, the rank that they usually have."""
    settled = [_settle_operand(m, op) for op in reversed(program.ops) if op.kind == roles.KIND]
    if any(settled):
        late.complete_all(m.journal, program)
    if not any(op.kind in _USUAL and _is_open(op) for op in program.ops):
        return
    for op in filter(_is_open, program.ops):
        late.again(m.journal, op)
        find = _USUAL.get(op.kind) if _is_open(op) else None
        rank = find(op.args) if find is not None and not op.faults else None
        if rank is not None:
            (made,) = op.outputs
            demands.settle(m, made, usual_ranks.sizes(m, made, rank))


def _is_open(op: Op) -> bool:
    return any(isinstance(value.type.shape, Unknown) for value in op.outputs)


def _settle_operand(m: Refines, op: Op) -> bool:
    x, rank = op.args.get("x"), op.outputs[0].type.rank
    if not isinstance(x, TensorVal) or rank is None or not isinstance(x.type.shape, Unknown):
        return False
    demands.settle(m, x, usual_ranks.sizes(m, x, rank))
    return True


def _as_operand(args: Args) -> int | None:
    x = args.get("x")
    return x.type.rank if isinstance(x, TensorVal) else None


def _squeezed(args: Args) -> int | None:
    """One axis less for each that is named."""
    rank, dim = _as_operand(args), args.get("dim")
    axes = dim if isinstance(dim, tuple) else (dim,)
    if rank is None or not axes or not all(isinstance(axis, int) and -rank <= axis < rank for axis in axes):
        return None
    named = {axis % rank for axis in axes if isinstance(axis, int)}
    return rank - len(named)


def _of_numbers(args: Args) -> int | None:
    """A list that is written out, of what may all be numbers, makes a vector."""
    data = args.get("data")
    return 1 if isinstance(data, tuple) and data and all(map(_may_be_number, data)) else None


def _may_be_number(item: Value) -> bool:
    if isinstance(item, TensorVal):
        return isinstance(item.type.shape, Unknown) or item.type.rank == 0
    return isinstance(item, (int, float, complex, DimExpr, Unknown))


#: Names of parameters that hold several sizes.
_SEVERAL: Final = re.compile(r"shape|dims|size$|^(?!n_|num_|nb_|no_)\w*[^s]s$")


def _of_one_size(args: Args) -> int | None:
    """What is made with one size that a parameter gives, or that is computed from one, is a vector."""
    size = args.get("shape")
    if isinstance(size, Arithmetic):
        return 1
    named = isinstance(size, Unknown) and size.reason == "parameter" and size.detail
    return 1 if named and not _SEVERAL.search(named.rpartition(".")[2]) else None


_USUAL: Final[Mapping[str, Callable[[Args], int | None]]] = {
    **dict.fromkeys(having(Trait.FILLS), _of_one_size),
    **dict.fromkeys(having(Trait.TAKES_DATA), _of_numbers),
    roles.KIND: _as_operand,
    "squeeze": _squeezed,
}
