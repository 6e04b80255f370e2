"""Degrees of certainty of a numeric danger: proved, met by ordinary numbers, known to come about in training, or not excluded.

Only the first three are reported as something that happens. The rest is a hint, in words that say no more than is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from dllint.analysis.known_failures import KnownFailure, known_failure
from dllint.analysis.questioned import is_questioned
from dllint.analysis.ranges.witness import Danger
from dllint.domains.interval import Bound, Interval, Origin
from dllint.finding import Confidence, Severity
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.rules.context import Context
from dllint.rules.numeric_evidence import REASONS


class Standing(Enum):
    """What is known of a danger."""

    PROVED = "proved"
    MET = "met"
    KNOWN = "known"
    POSSIBLE = "possible"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The standing of a danger, the pattern that is known to fail, and the range and the end of it that shows the danger."""

    standing: Standing
    found: Interval
    bound: Bound
    known: KnownFailure | None = None

    @property
    def severity(self) -> Severity:
        """An error is certain, a hint no more than possible."""
        return _SEVERITIES[self.standing]

    @property
    def confidence(self) -> Confidence:
        """What numbers have shown is right; what is known of others may not come about here."""
        return Confidence.HIGH if self.standing in (Standing.PROVED, Standing.MET) else Confidence.MEDIUM

    def sentence(self, what: str, danger: str, consequence: str) -> str:
        """The fact: "``what`` ``danger``, ``consequence``" ("the divisor of `a / b`", "is 0", "and the quotient is inf or
        NaN"), with what is known of it."""
        values = self.values
        if self.standing is Standing.PROVED:
            return f"{what} is {values}, {consequence}"
        if self.standing is Standing.MET:
            return f"{what} {danger} ({values}), {consequence}"
        if self.known is not None:
            return f"{what} is {self.known.words}: perhaps it {danger}, {consequence}"
        return f"it is not excluded that {what} {danger} ({values}{self._reason}), {consequence}"

    @property
    def values(self) -> str:
        """``values in [0, 1]``, or the number if there is only one."""
        return f"{self.found.constant:g}" if self.found.constant is not None else f"values in {self.found}"

    @property
    def _reason(self) -> str:
        return f": {REASONS[self.bound.origin]}" if self.bound.origin in REASONS else ""


_SEVERITIES = {
    Standing.PROVED: Severity.ERROR,
    Standing.MET: Severity.WARNING,
    Standing.KNOWN: Severity.WARNING,
    Standing.POSSIBLE: Severity.HINT,
}


def judged(
    op: Op, operand: Value, found: Interval, bound: Bound, context: Context, *, danger: Danger, always: bool = False
) -> Verdict:
    """The verdict on an operand whose range shows a danger at ``bound``. ``danger`` tests elements; ``always``: all numbers of
    the range are dangerous.

    numpy warns of such results itself where the code runs, so that there they are never news; and where a condition speaks of
    the operand that the ranges do not understand, nothing is known to be reached.
    """
    if always and not op.path and _holds_each_time(op, operand, found, context):
        return Verdict(Standing.PROVED, found, bound)
    if op.framework == "numpy" or is_questioned(op, context.facts):
        return Verdict(Standing.POSSIBLE, found, bound)
    if bound.origin is not Origin.INPUT and _is_met(op, operand, danger, context):
        return Verdict(Standing.MET, found, bound)
    known = known_failure(op, operand, found, context.facts)
    if known is not None:
        return Verdict(Standing.KNOWN, found, bound, known)
    return Verdict(Standing.POSSIBLE, found, bound)


def _holds_each_time(op: Op, operand: Value, found: Interval, context: Context) -> bool:
    """Whether an expression has this range for its operand in all calls and iterations."""
    places = [name for name, value in op.args.items() if value is operand]
    others = (other.args.get(name) for other in context.facts.performances(op) for name in places)
    return all(context.facts.ranges.of(value) == found for value in others if isinstance(value, TensorVal))


def _is_met(op: Op, operand: Value, danger: Danger, context: Context) -> bool:
    return isinstance(operand, TensorVal) and context.facts.witnesses.met(op, operand, danger)
