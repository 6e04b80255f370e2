"""Compositions of operations that have a fused, numerically stable form.

Each pattern is read backwards from its last operation through producers; the value between may have been named on the way. What
a composition fails at is asked of the range of its argument: ``log(1 + exp(-abs(x)))`` is the stable form itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from dllint.analysis.facts import Facts
from dllint.analysis.limited import is_limited
from dllint.analysis.shifted import is_shifted
from dllint.analysis.signs import sign
from dllint.domains.dtype import DType
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import by_name, does, having, having_any
from dllint.ops.ranges.spec import format_of
from dllint.ops.traits import Trait
from dllint.ops.walk import maker_behind


class Failure(Enum):
    """What a composition fails at, as a clause that says so."""

    UNDERFLOW = "which is -inf where the inner value underflows to 0"
    OVERFLOW = "which overflows for large arguments"
    DIGITS = "which loses the digits of a small argument"


@dataclass(frozen=True, slots=True)
class Form:
    """A composition that has a fused form: its formula, what it fails at, and the name of the fused function."""

    formula: str
    failure: Failure
    fused: str
    #: Whether the fused function gets the negated argument.
    is_negated: bool = False
    #: Whether exponentials along an axis are added up.
    has_sum: bool = False
    #: Whether it is an activation, which code writes out as a function of its own.
    is_activation: bool = False


LOG_SOFTMAX: Final = Form("log(softmax(x))", Failure.UNDERFLOW, "log_softmax")
LOG_SIGMOID: Final = Form("log(sigmoid(x))", Failure.UNDERFLOW, "logsigmoid")
LOG_COMPLEMENT: Final = Form("log(1 - sigmoid(x))", Failure.UNDERFLOW, "logsigmoid", is_negated=True)
LOG_SUM_EXP: Final = Form("log(sum(exp(x)))", Failure.OVERFLOW, "logsumexp", has_sum=True)
SOFTMAX: Final = Form("exp(x) / sum(exp(x))", Failure.OVERFLOW, "softmax", has_sum=True)
SIGMOID: Final = Form("1 / (1 + exp(-x))", Failure.OVERFLOW, "sigmoid", is_activation=True)
SOFTPLUS: Final = Form("log(1 + exp(x))", Failure.OVERFLOW, "softplus", is_activation=True)
LOG1P: Final = Form("log(1 + x)", Failure.DIGITS, "log1p")
EXPM1: Final = Form("exp(x) - 1", Failure.DIGITS, "expm1")


@dataclass(frozen=True, slots=True)
class Composition:
    """A composition found in a program: its form, and the inner operation with what messages call it."""

    form: Form
    inner: Op
    inner_name: str
    #: The operation that fails, if it is not the last one.
    failing: Op | None = None


def composition(op: Op, facts: Facts) -> Composition | None:
    """The composition that ends in an operation, if there is one whose argument may make it fail."""
    match = _LAST.get(op.kind)
    found = match(op) if match is not None else None
    return found if found is not None and _MAY_FAIL[found.form.failure](op, found, facts) else None


def _log(op: Op) -> Composition | None:
    inner = maker(op.args.get("x"))
    if inner is None:
        return None
    if does(inner, Trait.SHARES):
        return Composition(LOG_SOFTMAX, inner, "softmax")
    if does(inner, Trait.LOGISTIC):
        return Composition(LOG_SIGMOID, inner, "sigmoid")
    if inner.kind in _TOTALS and inner.args.get("dim") is not None:
        exponential = maker(inner.args.get("x"))
        if exponential is not None and exponential.kind in _EXPONENTIALS and not is_shifted(exponential):
            return Composition(LOG_SUM_EXP, inner, "the sum", exponential)
    if does(inner, Trait.SUBTRACTS) and _is_one(inner.args.get("x")) and does(maker(inner.args.get("y")), Trait.LOGISTIC):
        return Composition(LOG_COMPLEMENT, inner, "1 - sigmoid")
    return _log_of_sum(inner)


def _log_of_sum(inner: Op) -> Composition | None:
    if not does(inner, Trait.ADDS):
        return None
    other = next((b for a, b in _pairs(inner) if _is_one(a)), None)
    if not isinstance(other, TensorVal):
        return None
    exponential = maker(other)
    if exponential is not None and exponential.kind in _EXPONENTIALS:
        return Composition(SOFTPLUS, inner, "the sum", exponential)
    return None if is_table(other) or _is_whole(other) else Composition(LOG1P, inner, "the sum")


def _quotient(op: Op) -> Composition | None:
    below = maker(op.args.get("y"))
    if below is None:
        return None
    if _is_one(op.args.get("x")):
        return _logistic(below)
    above = maker(op.args.get("x"))
    if (
        above is None
        or above.kind not in _EXPONENTIALS
        or below.kind not in _TOTALS
        or below.args.get("x") is not op.args.get("x")
        or is_shifted(above)
    ):
        return None
    if sign(above.args.get("x")) < 0:
        return None
    return Composition(SOFTMAX, above, "exp")


def _reciprocal(op: Op) -> Composition | None:
    below = maker(op.args.get("x"))
    return _logistic(below) if below is not None else None


def _logistic(below: Op) -> Composition | None:
    if not does(below, Trait.ADDS):
        return None
    other = next((b for a, b in _pairs(below) if _is_one(a)), None)
    exponential = maker(other)
    if exponential is None or exponential.kind not in _EXPONENTIALS:
        return None
    return Composition(SIGMOID, exponential, "exp") if does(maker(exponential.args.get("x")), Trait.NEGATES) else None


def _difference(op: Op) -> Composition | None:
    inner = maker(op.args.get("x"))
    if inner is None or inner.kind not in _EXPONENTIALS or not _is_one(op.args.get("y")) or is_table(inner.output):
        return None
    return Composition(EXPM1, inner, "exp")


#: The natural exponential function and logarithm themselves, and sums in which not-a-number is one.
_EXPONENTIALS: Final = having(Trait.EXPONENTIAL | Trait.NATURAL) - having(Trait.SHIFTED)
_LOGARITHMS: Final = having(Trait.LOGARITHM | Trait.NATURAL) - having(Trait.SHIFTED)
_TOTALS: Final = having(Trait.SUMS | Trait.REDUCES) - having(Trait.SKIPS_NAN)
#: Operations that a composition may end in.
_LAST: Final[dict[str, Callable[[Op], Composition | None]]] = {
    **dict.fromkeys(_LOGARITHMS, _log),
    **by_name({Trait.DIVIDES: _quotient, Trait.INVERTS: _reciprocal, Trait.SUBTRACTS: _difference}),
}
#: Copies of the same numbers in the same type.
_COPIES: Final = having(Trait.KEEPS_PLACES) - having_any(Trait.CONVERTS | Trait.TAKES_DATA | Trait.NO_GRADIENT)


def maker(value: Value) -> Op | None:
    """The operation that made a tensor, seen through copies."""
    return maker_behind(value, _COPIES)


#: Operations whose results are whole numbers: digits far behind the point do not matter, before or after them.
WHOLE: Final = having(Trait.ROUNDS)
_TABLES: Final = having_any(Trait.FILLS | Trait.TAKES_DATA)


def _is_whole(value: TensorVal) -> bool:
    """Whether a tensor holds whole numbers."""
    op = maker(value)
    if not does(op, Trait.CONVERTS):
        return op is not None and op.kind in WHOLE
    return any(isinstance(given.dtype, DType) and given.dtype.kind in ("int", "bool") for given in op.inputs)


def is_table(value: Value) -> bool:
    """Whether a tensor is computed from constants and counters alone, as position tables are."""
    todo: list[Any] = [value]
    seen: set[int] = set()
    while todo:
        current = todo.pop()
        if not isinstance(current, TensorVal) or current.id in seen:
            continue
        seen.add(current.id)
        op = current.producer
        if op is None or (not op.inputs and op.kind not in _TABLES):
            return False
        todo.extend(op.inputs)
    return True


def _pairs(op: Op) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    x, y = op.args.get("x"), op.args.get("y")
    return (x, y), (y, x)


def _is_one(value: Value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == 1


# --- whether the argument makes it fail -----------------------------------------------------------------------------------

#: The logarithm of the number of terms that a sum is expected to have at most.
_TERMS: Final = math.log(2.0**16)
#: Arguments that are further from 0 keep their digits beside 1.
_NEAR: Final = 0.01


def _may_underflow(op: Op, found: Composition, facts: Facts) -> bool:
    """Whether the logarithm may get a 0."""
    return facts.ranges.at(op, op.args.get("x")).low.value <= 0


def _may_overflow(op: Op, found: Composition, facts: Facts) -> bool:
    """Whether an exponential may exceed its format, or a sum of exponentials be 0."""
    exponential = found.failing or found.inner
    argument = facts.ranges.at(exponential, exponential.args.get("x"))
    fmt = format_of(exponential.output.dtype, exponential.framework)
    largest = math.log(fmt.largest)
    if not found.form.has_sum:
        return argument.high.value > largest and not is_limited(exponential.args.get("x"), largest, facts)
    return argument.high.value > largest - _TERMS or argument.low.value < math.log(fmt.smallest)


def _may_lose_digits(op: Op, found: Composition, facts: Facts) -> bool:
    """Whether the argument of ``log(1 + x)`` or ``exp(x) - 1`` comes near 0."""
    if found.form is EXPM1:
        argument = facts.ranges.at(found.inner, found.inner.args.get("x"))
    else:
        argument = facts.ranges.at(op, op.args.get("x"))
        return argument.low.value < 1 + _NEAR and argument.high.value > 1 - _NEAR
    return argument.low.value < _NEAR and argument.high.value > -_NEAR


_MAY_FAIL: Final[dict[Failure, Callable[[Op, Composition, Facts], bool]]] = {
    Failure.UNDERFLOW: _may_underflow,
    Failure.OVERFLOW: _may_overflow,
    Failure.DIGITS: _may_lose_digits,
}
