"""Tensors of uninitialised memory that were made with a number of elements where a value was meant: ``torch.Tensor(4)``."""

from __future__ import annotations

from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.ir.program import Op
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import all_takers

#: How the names of the classes of tensors end, which take a number for a size: ``torch.Tensor``, ``torch.cuda.FloatTensor``.
_CLASSES: Final = "Tensor"
#: Operations whose result depends on the elements of what they take.
_COMPUTES: Final = having_any(Trait.POINTWISE | Trait.REDUCES) - having(Trait.WRITES)
#: Those that give on the elements, or some of them.
_SAME: Final = having_any(Trait.KEEPS_VALUES | Trait.SUBSCRIPTS)


def first_reader(op: Op, facts: Facts) -> Op | None:
    """The first operation that computes with a tensor that its class makes of one number, and that nothing writes to."""
    if not does(op, Trait.EMPTY) or not _is_made_of_one_number(op) or not _is_unwritten(op):
        return None
    return next((user for user in all_takers(op, _SAME, facts.takers) if user.kind in _COMPUTES), None)


def _is_made_of_one_number(op: Op) -> bool:
    node = op.site.node
    if not op.spelled.endswith(_CLASSES) or not isinstance(node, cst.Call) or op.output.shape == (0,):
        return False
    return len(node.args) == 1 and not node.args[0].star and op.output.type.rank == 1


def _is_unwritten(op: Op) -> bool:
    """Whether nothing that is known or not followed may have written to a tensor."""
    made = op.output
    return not (made.modified or made.stale or made.foreign or made.handed or made.varies)
