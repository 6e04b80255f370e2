"""Faults of rank between operations that set the rank themselves, so that no argument of their caller mends them.

The code that follows a convolution gets what convolutions give, whoever calls it with what: ``Conv1d`` behind
``MaxPool2d`` fails for every input.
"""

from __future__ import annotations

from typing import Final

from dllint.ir.program import Op, TensorVal
from dllint.ops.faults import RANK
from dllint.ops.kinds import does
from dllint.ops.layers import layer
from dllint.ops.traits import Trait

#: Operations that are looked at to learn where a rank comes from.
_MOST: Final = 60


def rests_on_set_ranks(op: Op) -> bool:
    """Whether the operand of each fault, all of which are of rank, has its rank from operations before it."""
    return bool(op.faults) and all(
        fault.kind == RANK and _is_set(op.args.get(fault.operand or "x"), set()) for fault in op.faults
    )


def _is_set(value: object, seen: set[int]) -> bool:
    """Whether a tensor has one rank for all inputs with which what made it runs. ``seen`` are operations met on the way."""
    maker = value.producer if isinstance(value, TensorVal) else None
    if maker is None or maker.path or id(maker) in seen or len(seen) > _MOST:
        return False
    seen.add(id(maker))
    if layer(maker.kind).demand is not None:
        return True
    sources = list(maker.inputs)
    if does(maker, Trait.JOINS):  # all of them have one rank
        return any(_is_set(source, seen) for source in sources)
    return bool(sources) and all(_is_set(source, seen) for source in sources)
