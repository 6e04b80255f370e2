"""Arguments of exponentials that the author has cut to a range, and then multiplied by a number that is not known.

``clip(z, -15, 15)`` before ``exp(-y * z)`` is the guard against an overflow: with labels of -1 and 1 nothing is left of it.
"""

from __future__ import annotations

from typing import Final

from dllint.analysis.facts import Facts
from dllint.ir.program import JOIN, Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import maker_behind

#: Steps that leave how large a number is at most.
_SAME_SIZE: Final = having(Trait.KEEPS_VALUES) | having_any(Trait.INDEXES | Trait.REPEATS | Trait.NEGATES)
#: So many products and joins are gone back.
_STEPS: Final = 4


def is_limited(value: Value, largest: float, facts: Facts) -> bool:
    """Whether a value is a product of numbers that were cut to ``-largest`` to ``largest`` on both sides, and of at most one
    factor of which nothing is known."""
    return _is_limited(value, largest, facts, _STEPS)


def _is_limited(value: Value, largest: float, facts: Facts, steps: int) -> bool:
    op = maker_behind(value, _SAME_SIZE) if isinstance(value, TensorVal) else None
    if op is None or steps == 0:
        return False
    if does(op, Trait.CLAMPS):
        return _is_within(op, largest, facts)
    if op.kind == JOIN:
        return bool(op.args) and all(_is_limited(arm, largest, facts, steps - 1) for arm in op.args.values())
    if not does(op, Trait.MULTIPLIES):
        return False
    x, y = op.args.get("x"), op.args.get("y")
    return any(_is_open(one, facts) and _is_limited(other, largest, facts, steps - 1) for one, other in ((x, y), (y, x)))


def _is_within(clamp: Op, largest: float, facts: Facts) -> bool:
    found = facts.ranges.of(clamp.output)
    return found.low.known and found.high.known and -largest <= found.low.value and found.high.value <= largest


def _is_open(factor: Value, facts: Facts) -> bool:
    """Whether nothing is known of the size of a factor."""
    if isinstance(factor, (int, float)):
        return False
    found = facts.ranges.of(factor)
    return not found.low.known and not found.high.known
