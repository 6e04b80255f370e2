"""Which axis of scores the samples lie along: the first one of what a layer has given, followed through what moves axes."""

from __future__ import annotations

from typing import Final

from dllint.analysis.output_kind import MOVES, NONLINEAR
from dllint.domains.shape import normalize_axis
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import SliceVal
from dllint.ops.carried import kept
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import handed_on, steps_back

#: Steps from a layer to its scores: moves, activations and what makes scores of a sample comparable.
_TO_SCORES: Final = MOVES | NONLINEAR | having(Trait.SHARES) | having_any(Trait.NORMALISES)
_COMPARABLE: Final = having_any(Trait.SHARES | Trait.NORMALISES)


def runs_over_samples(scores: TensorVal, axis: int) -> bool:
    """Whether an axis of scores is that of the samples. It is not where the scores were made comparable along it, nor where the
    axis has come from another one, as in ``scores.transpose(1, 2)[0]``, or nothing tells where it has come from."""
    steps = list(steps_back(scores, _TO_SCORES))
    place: int | None = 0
    for op in reversed(steps):
        given = handed_on(op) if op.kind in _TO_SCORES else None
        if given is not None and place is not None:
            place = _carried(op, given, place)
        if place is None or (op.kind in _COMPARABLE and _dim(op) == place):
            return False
    return place == axis


def _carried(op: Op, given: TensorVal, place: int) -> int | None:
    """The axis of a result that holds what an axis of the operand does."""
    if op.kind in _COMPARABLE:
        return place
    if not does(op, Trait.INDEXES):
        return kept(op, given, place)
    index = op.args.get("index")
    first = index[0] if isinstance(index, tuple) and index else index
    return place if place == 0 and isinstance(first, (SliceVal, TensorVal)) else None


def _dim(op: Op) -> int | None:
    """The axis along which scores are made comparable."""
    dim, rank = op.args.get("dim", -1), op.output.type.rank if op.outputs else None
    return normalize_axis(dim, rank) if isinstance(dim, int) and isinstance(rank, int) else None
