"""Faults of rank between operations that set the rank themselves, so that no argument of their caller mends them.

The code that follows a convolution gets what convolutions give, whoever calls it with what: ``Conv1d`` behind
``MaxPool2d`` fails for every input, and ``cat`` behind ``sum`` over everything.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from dllint.ir.program import Fault, Op, TensorVal
from dllint.ops.faults import RANK
from dllint.ops.kinds import does
from dllint.ops.layers import layer
from dllint.ops.traits import Trait
from dllint.source.walk import dotted

#: Operations that are looked at to learn where a rank comes from.
_MOST: Final = 60


def rests_on_set_ranks(op: Op) -> bool:
    """Whether the operand of each fault, all of which are of rank, has its rank from operations before it."""
    return bool(op.faults) and all(
        fault.kind == RANK and any(_is_set(value, set()) for value in _at_fault(op, fault)) for fault in op.faults
    )


def _at_fault(op: Op, fault: Fault) -> list[TensorVal]:
    """The tensors of which a fault tells the rank: the operand, or those of a list that have that rank."""
    operand = op.args.get(fault.operand or "x")
    if not isinstance(operand, tuple):
        return [operand] if isinstance(operand, TensorVal) else []
    return [part for part in operand if isinstance(part, TensorVal) and part.type.rank == fault.actual]


def _is_set(value: object, seen: set[int]) -> bool:
    """Whether a tensor has one rank for all inputs with which what made it runs. ``seen`` are operations met on the way."""
    maker = value.producer if isinstance(value, TensorVal) else None
    if maker is None or maker.path or id(maker) in seen or len(seen) > _MOST:
        return False
    seen.add(id(maker))
    if layer(maker.kind).demand is not None or _leaves_no_axes(maker):
        return True
    sources = list(maker.inputs)
    if does(maker, Trait.JOINS):  # all of them have one rank
        return any(_is_set(source, seen) for source in sources)
    return bool(sources) and all(_is_set(source, seen) for source in sources)


def _leaves_no_axes(maker: Op) -> bool:
    """Whether an operation reduces all axes of a tensor, however many these are, and is not given an axis that is ``None``."""
    call = maker.site.node
    if not does(maker, Trait.REDUCES) or maker.args.get("dim") is not None or not isinstance(call, cst.Call):
        return False
    library = maker.spelled.partition(".")[0]
    is_function = (dotted(call.func) or "").partition(".")[0] == library  # methods may be spelled as functions, too
    return len(call.args) == int(is_function) and all(value.shape == () for value in maker.outputs)
