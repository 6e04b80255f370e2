"""Guards against dangerous arguments that do not guard: limits at the danger itself, small numbers in the wrong place or lost.

Asked only where the range of the argument has shown that the danger is still there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.ranges.uses import is_weight
from dllint.domains.finite import as_float
from dllint.domains.floating import FloatFormat
from dllint.ir.events import Read
from dllint.ir.program import JOIN, Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.ranges.spec import format_of, laid_out
from dllint.ops.traits import Trait

#: The largest number that is added as a guard.
_SMALL: Final = 1e-2
_LIMITS: Final = having_any(Trait.CLAMPS | Trait.LARGER)
_LOGARITHMS: Final = having(Trait.LOGARITHM) - having(Trait.SHIFTED)
_EXPONENTIALS: Final = having(Trait.EXPONENTIAL) - having(Trait.SHIFTED)
_SUMS: Final = having_any(Trait.ADDS | Trait.SUBTRACTS)
#: A rectifier or a magnitude, which give 0 where a logarithm is guarded against negative numbers.
_NEVER_NEGATIVE: Final = having_any(Trait.RECTIFIES | Trait.MAGNITUDE)
_DEEPEST: Final = 6


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard and why it fails. ``kind`` is ``outside``, ``limit``, ``discarded``, ``dividend``, ``zero``, ``absorbed`` or
    ``signed``; ``number`` is the small number or the limit."""

    kind: str
    op: Op
    number: float
    fmt: FloatFormat


def ineffective_guard(op: Op, operand: Value, facts: Facts) -> Guard | None:
    """The guard that was meant for an operation's dangerous operand, if there is one."""
    for find in _FINDERS:
        found = find(op, operand, facts)
        if found is not None:
            return found
    return None


def _inside(op: Op, operand: Value, facts: Facts) -> Guard | None:
    """A guard that the operand is computed with."""
    for step in _steps(operand):
        found = _as_limit(step, op, facts) or _as_summand(step, facts)
        if found is not None:
            return found
    return None


@dataclass(frozen=True, slots=True)
class _Step:
    """An operation that an operand is computed by: the operand is ``offset`` plus its result, or minus it if ``falling``."""

    maker: Op
    offset: float
    falling: bool


def _steps(operand: Value) -> Iterator[_Step]:
    """The operations behind an operand, the last first, through sums with numbers, and limits."""
    value, offset, falling = laid_out(operand), 0.0, False
    for _ in range(_DEEPEST):
        maker = value.producer if isinstance(value, TensorVal) and not value.modified else None
        if maker is None or maker.kind not in _FOLLOWED:
            return
        yield _Step(maker, offset, falling)
        number = _summand(maker)
        if maker.kind in _SUMS:
            if number is None:
                return
            minuend = does(maker, Trait.SUBTRACTS) and isinstance(maker.args.get("y"), TensorVal)
            signed = -number if does(maker, Trait.SUBTRACTS) and not minuend else number
            offset += -signed if falling else signed
            falling ^= minuend
        falling ^= does(maker, Trait.NEGATES)
        value = laid_out(next(iter(maker.inputs), None))


_FOLLOWED: Final = _LIMITS | having_any(
    Trait.ADDS | Trait.SUBTRACTS | Trait.NEGATES | Trait.RECTIFIES | Trait.MAGNITUDE | Trait.CONVERTS
)


def _summand(op: Op) -> float | None:
    """The number among the operands of a sum or difference."""
    operands = (op.args.get("x"), op.args.get("y"))
    return next((as_float(v) for v in operands if isinstance(v, (int, float)) and not isinstance(v, bool)), None)


def _as_limit(step: _Step, op: Op, facts: Facts) -> Guard | None:
    """A limit that is the danger itself; a rectifier or magnitude only where it is written inside the logarithm."""
    maker, fmt = step.maker, _format(step.maker)
    if maker.kind in _LIMITS and not does(op, Trait.ROOT):
        limit = _limit(maker, facts, upper=step.falling)
        reached = limit is not None and step.offset + (-limit if step.falling else limit) <= 0
        return Guard("limit", maker, limit, fmt) if limit is not None and reached else None
    if maker.kind in _NEVER_NEGATIVE and op.kind in _LOGARITHMS and _is_written_inside(maker, op):
        return Guard("limit", maker, 0.0, fmt)
    return None


def _is_written_inside(maker: Op, op: Op) -> bool:
    """Whether an operation is the argument of another one as the source has it."""
    direct = laid_out(op.args.get("x"))
    same = _together(maker, op) and maker.layer is None
    return same and isinstance(direct, TensorVal) and direct.producer is maker


def _limit(maker: Op, facts: Facts, *, upper: bool = False) -> float | None:
    """The constant that a limiting operation does not let its result go below (``upper``: above)."""
    if does(maker, Trait.CLAMPS):
        limit = maker.args.get("max" if upper else "min")
        return facts.ranges.of(limit).constant if limit is not None else None
    if upper:
        return None
    return next((c for name in ("x", "y") if (c := facts.ranges.of(maker.args.get(name)).constant) is not None), None)


def _as_summand(step: _Step, facts: Facts) -> Guard | None:
    """A small number that is lost in the element type, or that is added to a weight, which may become negative."""
    maker, constant = step.maker, _summand(step.maker)
    if maker.kind not in _SUMS or constant is None:
        return None
    fmt = _format(maker)
    whole = round(constant) if math.isfinite(constant) else constant
    if whole != 0 and 0 < abs(constant - whole) <= _SMALL and fmt.round(constant) == whole:
        return Guard("absorbed", maker, abs(constant - whole), fmt)
    if not 0 < constant <= _SMALL:
        return None
    if fmt.round(constant) == 0:
        return Guard("zero", maker, constant, fmt)
    signed = does(maker, Trait.ADDS) and any(is_weight(x) and facts.ranges.of(x).low.value <= -constant for x in maker.inputs)
    return Guard("signed", maker, constant, fmt) if signed else None


def _outside(op: Op, operand: Value, facts: Facts) -> Guard | None:
    """A small number that is added to the result in the same expression, and is not there for what comes next. What is added to
    an exponential is no guard of it: small arguments do it no harm."""
    takers = facts.takers(op)
    if op.kind in _EXPONENTIALS or len(takers) != 1 or not does(takers[0], Trait.ADDS) or not _together(takers[0], op):
        return None
    number = _small_summand(takers[0])
    if number is None or _guards_later(takers[0], facts):
        return None
    return Guard("outside", takers[0], number, _format(op))


#: Operations whose arguments are guarded with a small number.
_GUARDED: Final = _LOGARITHMS | having_any(Trait.DIVIDES | Trait.DIVIDES_WHOLE | Trait.INVERTS | Trait.ROOT | Trait.RAISES)
#: Operations that hand the small number on.
_HANDING: Final = having_any(
    Trait.KEEPS_VALUES | Trait.CUTS | Trait.INDEXES | Trait.REPEATS | Trait.JOINS | Trait.MULTIPLIES
) | {JOIN}


def _guards_later(op: Op, facts: Facts) -> bool:
    """Whether the sum is what another operation has for its guarded argument, as it is or laid out in another way."""
    reached = [op]
    for _ in range(_DEEPEST):
        takers = [taker for one in reached for taker in facts.takers(one)]
        if any(taker.kind in _GUARDED for taker in takers):
            return True
        reached = [taker for taker in takers if taker.kind in _HANDING]
    return False


def _dividend(op: Op, operand: Value, facts: Facts) -> Guard | None:
    """A small number that is added to what is divided, in the same expression."""
    dividend = op.args.get("x")
    maker = dividend.producer if does(op, Trait.DIVIDES) and isinstance(dividend, TensorVal) else None
    if not does(maker, Trait.ADDS) or not _together(maker, op):
        return None
    number = _small_summand(maker)
    return Guard("dividend", maker, number, _format(maker)) if number is not None else None


def _small_summand(op: Op) -> float | None:
    number = _summand(op)
    return number if number is not None and 0 < number <= _SMALL else None


def _discarded(op: Op, operand: Value, facts: Facts) -> Guard | None:
    """A limit that was computed of the same tensor before, and that nothing uses."""
    if not isinstance(operand, TensorVal) or not op.outputs:
        return None
    for value in {operand.id: operand, laid_out(operand).id: laid_out(operand)}.values():
        for user in facts.users(value):
            if user.kind in _LIMITS and user.outputs and user.output.id < op.output.id and _is_unused(user, facts):
                limit = _limit(user, facts)
                return Guard("discarded", user, limit if limit is not None else 0.0, _format(user))
    return None


def _is_unused(op: Op, facts: Facts) -> bool:
    """Whether the result is neither taken by an operation nor read by name, and did not replace its operand."""
    if facts.takers(op) or op.spelled.endswith("_") or op.args.get("out") is not None:
        return False
    if any(event.value is op.output for event in facts.events(Read)):
        return False
    parts = getattr(op.site.statement, "body", ())
    return any(isinstance(part, cst.Expr) and part.value is op.site.node for part in parts)


def _together(a: Op, b: Op) -> bool:
    """Whether two operations stand in one statement of a source text."""
    return a.site.statement is b.site.statement and isinstance(a.site.node, cst.CSTNode)


def _format(op: Op) -> FloatFormat:
    return format_of(op.output.dtype if op.outputs else None, op.framework)


_FINDERS: Final[tuple[Callable[[Op, Any, Facts], Guard | None], ...]] = (_inside, _discarded, _outside, _dividend)
