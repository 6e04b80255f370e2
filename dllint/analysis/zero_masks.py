"""Scores that are masked with a number near 0 before a softmax, which gives such scores a weight."""

from __future__ import annotations

from typing import Final, NamedTuple

from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import MOVES
from dllint.domains.finite import finite
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import behind, maker_behind, steps_back

#: Scores within this distance of 0 have a weight: exp(-10) is 5e-5 of that of 0.
_NEAR: Final = 10.0
#: What puts numbers in the place of scores.
_FILLS: Final = having(Trait.REPLACES | Trait.PUTS_NUMBER) | having(Trait.CHOOSES)
#: What leaves elements out after the softmax, or weighs them anew.
_LEAVES_OUT: Final = having_any(Trait.MULTIPLIES | Trait.REPLACES | Trait.CHOOSES)
_NUMBERS: Final = having_any(Trait.CONVERTS) | MOVES
_SCALED: Final = MOVES | having_any(Trait.MULTIPLIES | Trait.DIVIDES | Trait.ADDS | Trait.SUBTRACTS)


class ZeroMask(NamedTuple):
    """The operation that masks scores, and the number that they get."""

    op: Op
    number: float


def zero_mask(softmax: Op, facts: Facts) -> ZeroMask | None:
    """What masks the scores that a softmax takes with a number near 0, if nothing masks them otherwise before or after it."""
    mask = maker_behind(softmax.args.get("x"), MOVES)
    number = _number(mask) if mask is not None else None
    if mask is None or number is None or abs(number) >= _NEAR:
        return None
    given = (mask.args.get(name) for name in ("x", "y"))
    scores = next((value for value in given if isinstance(value, TensorVal) and not _is_test(value)), None)
    if scores is None or any(step.kind in _FILLS for step in steps_back(scores, _SCALED | _FILLS)):
        return None
    if any(taker.kind in _LEAVES_OUT for taker in facts.takers(softmax)):
        return None
    return ZeroMask(mask, number)


def _number(op: Op) -> float | None:
    """What an operation puts in the place of scores: the number that it fills in, or 0 if it multiplies by a test."""
    if does(op, Trait.PUTS_NUMBER):
        return finite(op.args.get("value"))
    if does(op, Trait.CHOOSES):
        return next((number for name in ("x", "y") if (number := finite(op.args.get(name))) is not None), None)
    return 0.0 if does(op, Trait.MULTIPLIES) and any(map(_is_test, op.inputs)) else None


def _is_test(value: Value) -> bool:
    """Whether a tensor is the outcome of a comparison, perhaps as numbers 0 and 1."""
    found = behind(value, _NUMBERS) if isinstance(value, TensorVal) else None
    return found is not None and does(found.producer, Trait.TRUTH)
