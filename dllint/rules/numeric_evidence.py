"""Messages of rules about ranges: the interval that proves a danger, why it holds, and where it comes from.

``Finding.flow`` leads from where the danger starts to the operation (a SARIF code flow, ``flow`` in JSON). In editors and in
the format ``full``, places in other statements are related information.
"""

from __future__ import annotations

import math
from typing import Any, Final

from dllint.analysis.ranges.uses import chain, stated_source
from dllint.domains.interval import Bound, Interval, Origin
from dllint.domains.stated import written
from dllint.finding import Confidence, Finding, Related
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.rules.context import Context
from dllint.rules.rule import AnyRule

#: Why a bound is assumed.
REASONS: Final = {
    Origin.STATED: "as stated",
    Origin.TRAINED: "trained values may become anything",
    Origin.INPUT: "inputs may be anything",
}


def span_of(found: Interval) -> str:
    """``values in [0, 1]``, or the number if there is only one."""
    return f"the value {found.constant:g}" if found.constant is not None else f"values in {found}"


def because(bound: Bound) -> str:
    """A clause for the bound that a danger rests on: nothing if it is derived."""
    return f" ({REASONS[bound.origin]})" if bound.origin in REASONS else ""


def certainty(bound: Bound) -> Confidence:
    """Derived bounds are reached; assumed ones may be."""
    return Confidence.HIGH if bound.origin is Origin.DERIVED else Confidence.MEDIUM


#: An origin in one word, and why if it is an assumption.
_ORIGINS: Final = {
    Origin.DERIVED: "derived",
    **{origin: f"assumed: {reason}" for origin, reason in REASONS.items()},
    Origin.STATED: "stated",
    Origin.UNKNOWN: "unknown",
}


def origins_of(found: Interval) -> str:
    """Where the ends of an interval come from: one word for both if they agree."""
    low, high = _ORIGINS[found.low.origin], _ORIGINS[found.high.origin]
    return low if low == high else f"lower bound {low}; upper bound {high}"


def range_text(found: Interval) -> str:
    """``in [0, 1] (derived)``: an interval with the origins of its ends in a word each; empty if nothing limits it, or nothing
    shows that it is reached."""
    ends = [end for end in (found.low, found.high) if end.known]
    if not ends or all(math.isinf(end.value) for end in (found.low, found.high)):
        return ""
    words = dict.fromkeys(_ORIGINS[end.origin].partition(":")[0] for end in ends)
    return f"in {found} ({', '.join(words)})"


#: So many steps are shown of a way to a danger.
_LONGEST: Final = 16


def flow(op: Op, operand: Value, context: Context, *after: Related | None) -> list[Related]:
    """How the operand comes to its range, from where it first has one to the operation, and what becomes of the result."""
    steps = list(chain(operand, context.facts, _LONGEST)) if isinstance(operand, TensorVal) else []
    parts = [(maker, f"`{maker.kind}` gives {span_of(found)} ({origins_of(found)})") for maker, found in reversed(steps)]
    taken = context.facts.ranges.at(op, operand)
    places = [context.related(where, message) for where, message in (*parts, (op, f"`{op.kind}` takes {span_of(taken)}"))]
    return list(dict.fromkeys(place for place in (*places, *after) if place is not None))


def evidence(op: Op, operand: Value, context: Context) -> list[Related]:
    """The places where an operand's range comes from, those in other statements than the operation's."""
    out = []
    stated = stated_source(operand, context.facts)
    if stated is not None and (place := context.related(op, _where_stated(stated))) is not None:
        out.append(place)
    for maker, found in chain(operand, context.facts) if isinstance(operand, TensorVal) else ():
        if maker.site.statement is op.site.statement and maker.site.document is op.site.document:
            continue
        place = context.related(maker, f"`{maker.kind}` gives {span_of(found)} here")
        if place is not None:
            out.append(place)
    return out


def report(rule: AnyRule, op: Op, operand: Value, message: str, context: Context, **parts: Any) -> Finding:
    """A finding about the numbers of an operand, with where they come from; ``parts`` are its other parts."""
    where, way = evidence(op, operand, context), flow(op, operand, context)
    return context.finding(rule, op, message + context.condition_note(op), related=where, flow=way, **parts)


def _where_stated(value: TensorVal) -> str:
    stated = value.stated
    assert stated is not None
    name = f"`{value.name}`" if value.name else "the value"
    return f"the range {written(stated.interval)} of {name} is stated in {stated.where}"
