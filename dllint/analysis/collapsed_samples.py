"""Predictions that are one number for all samples, beside a target for each of them."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import same
from dllint.domains.shape import Shape
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import having
from dllint.ops.ranges.spec import shape_of
from dllint.ops.traits import Trait

_ELEMENTWISE: Final = having(Trait.POINTWISE)
_OVER_ALL: Final = having(Trait.REDUCES | Trait.SUMS) | having(Trait.REDUCES | Trait.AVERAGES)
#: Steps that are followed from a prediction back to its sum.
_FURTHEST: Final = 16


def collapsed(prediction: TensorVal, target: Shape) -> Op | None:
    """The sum or mean over everything that has made one number of the features of all samples, which ``target`` still has."""
    if shape_of(prediction) != () or not target or target[0] == 1:
        return None
    todo, seen = [prediction], 0
    while todo and seen < _FURTHEST:
        seen += 1
        op = todo.pop().producer
        if op is None:
            continue
        if op.kind in _OVER_ALL:
            if _takes_samples(op, target):
                return op
        elif op.kind in _ELEMENTWISE:
            todo += [value for value in op.inputs if shape_of(value) == ()]
    return None


def _takes_samples(op: Op, target: Shape) -> bool:
    """Whether an operation reduces (samples, features), with as many samples as there are targets."""
    reduced = op.args.get("x")
    shape = shape_of(reduced) if isinstance(reduced, TensorVal) else None
    return op.args.get("dim") is None and shape is not None and len(shape) > 1 and same(shape[0], target[0])
