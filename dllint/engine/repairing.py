"""The search for repairs: edits along the flow to a fault are tried by analysing the edited text again.

It is made when somebody asks for the repairs of one finding (a code action) or has all of them applied (``--fix`` with
``--unsafe-fixes``), never by a check alone. Candidates (:mod:`dllint.fixes.repairs`) and the fixes of the rule itself are
tried from the likeliest on, within the gate's limit of work for a text. Those that pass the gate are told apart by what the
analysis shows after them: the fewest findings, then the least that is unknown, then the least far-fetched edit. A fix that
only moves a fault has as many findings after it and is no repair. What only fits shapes together (another axis, a transposed
operand) has to mend all that fails along the flow: a part of what one slip has caused is not the slip.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from dllint.analysis.meeting_sizes import JOINS, LAYERS, meetings
from dllint.domains.agreement import never_agree
from dllint.edit import Applicability, Fix
from dllint.engine.dispatch import Raw
from dllint.engine.gate import Gate
from dllint.finding import Severity
from dllint.fixes.boundary import taken_failures
from dllint.fixes.repairs.flow import Candidate, Faulty, faulty
from dllint.fixes.repairs.layers import forgotten, options, siblings
from dllint.fixes.repairs.operands import axes, layouts, products
from dllint.fixes.repairs.widths import swapped, widths
from dllint.fixes.repairs.windows import windows
from dllint.ir.program import Fault, Op
from dllint.ops.faults import BROADCAST, CONCAT, FEATURE_SIZE

#: Candidates that are tried for one finding, if the text is not too much work for as many.
_MOST_TRIED: Final = 24
#: How far-fetched the fixes of a rule are, the first one and each further one.
_OF_RULES: Final = 3
#: Beside the best fix, others are offered that are not more far-fetched by more than this.
_AS_LIKELY: Final = 1
_WAYS: Final = (widths, swapped, siblings, forgotten, options, axes, products, layouts, windows)
#: Ways that fit shapes together.
_GUESSES: Final = (options, axes, products, layouts, windows)
#: The rule about sizes that differ for all values of what they depend on; its operations are no faults by themselves.
_NEVER_AGREE: Final = "DLT123"


class _Tried(NamedTuple):
    """How good a fix is: the smaller, the better."""

    findings: int
    unknown: int
    cost: int
    length: int


def repairs(gate: Gate, raw: Raw) -> tuple[Fix, ...]:
    """The fixes of a finding that pass the gate and leave as little behind as any other, the best one first."""
    found = _faulty(raw)
    if found is None or any(op.faults for op in found.flow[1:]):  # nothing to search, or what is before it comes first
        return gate.approve([raw])[0].finding.fixes
    own = [fix for fix in raw.finding.fixes if fix.applicability is not Applicability.DISPLAY]
    shown = tuple(fix for fix in raw.finding.fixes if fix.applicability is Applicability.DISPLAY)
    passed: list[tuple[_Tried, Fix]] = []
    beside = _beside(gate, raw, found)
    for cost, fix, is_guess in sorted(_searched(found, own), key=lambda one: one[0])[:_MOST_TRIED]:
        if gate.is_spent:
            break
        after = gate.after(raw, fix, beside if is_guess else ())
        if after is not None:
            length = sum(2 * len(edit.content) + edit.end - edit.start for edit in fix.edits)  # the plainer text of two
            passed.append((_Tried(len(after.faults), after.coverage.unknown, cost, length), fix))
    passed.sort(key=lambda one: one[0])
    best = [fix for tried, fix in passed if tried[:2] == passed[0][0][:2] and tried.cost <= passed[0][0].cost + _AS_LIKELY]
    return (*best, *shown)


def with_repairs(gate: Gate, raws: Sequence[Raw]) -> list[Raw]:
    """Findings with the fixes that pass the gate, and those about operations that fail with their repairs."""
    faults = [raw for raw in raws if isinstance(raw.item, Op) and raw.item.faults]
    kept = {id(raw): replace(raw, finding=replace(raw.finding, fixes=repairs(gate, raw))) for raw in faults}
    others = iter(gate.approve([raw for raw in raws if id(raw) not in kept]))
    return [kept[id(raw)] if id(raw) in kept else next(others) for raw in raws]


def _faulty(raw: Raw) -> Faulty | None:
    """What leads to the fault of an operation, or to sizes that differ for all values of what they depend on."""
    if not isinstance(raw.item, Op):
        return None
    if raw.item.faults:
        return faulty(raw.item, raw.program.ops)
    for left, right, axis in meetings(raw.item) if raw.finding.code == _NEVER_AGREE else ():
        if never_agree(left, right) is not None:
            kind = FEATURE_SIZE if raw.item.kind in LAYERS else CONCAT if raw.item.kind in JOINS else BROADCAST
            return faulty(raw.item, raw.program.ops, Fault(kind, "x", axis, left, right))
    return None


def _beside(gate: Gate, raw: Raw, found: Faulty) -> list[Raw]:
    """The errors and warnings about other operations that fail and have the flow in common with one."""
    flow = {id(op) for op in found.flow}
    others = (other for other in gate.before.raws if other is not raw and other.program is raw.program)
    return [
        other
        for other in others
        if isinstance(other.item, Op)
        and other.item.faults
        and other.finding.severity in (Severity.ERROR, Severity.WARNING)
        and (behind := faulty(other.item, raw.program.ops)) is not None
        and any(id(op) in flow for op in behind.flow)
    ]


def _searched(found: Faulty, own: Sequence[Fix]) -> list[tuple[int, Fix, bool]]:
    """The fixes of a rule and the candidates for a fault, each edit once, with how far-fetched each is and whether it is a
    guess."""
    waiting = {tuple(sorted(fix.edits)): (_OF_RULES + number, fix, False) for number, fix in enumerate(own)}
    path = found.op.site.document.path
    for candidate in _candidates(found):
        edits = tuple(sorted(dict.fromkeys(candidate.edits)))
        if edits and all(edit.path == path for edit in edits):
            new = Fix(candidate.message, edits, Applicability.UNSAFE)
            cost, fix, is_guess = waiting.get(edits, (candidate.cost, new, candidate.is_guess))
            waiting[edits] = min(cost, candidate.cost), fix, is_guess and candidate.is_guess
    taken_failures()  # a candidate that cannot be built is none
    return list(waiting.values())


def _candidates(found: Faulty) -> Iterable[Candidate]:
    for way in _WAYS:
        try:
            yield from (replace(one, is_guess=way in _GUESSES) for one in way(found))
        except (ValueError, KeyError, IndexError, StopIteration):  # code of a form that it is not made for
            continue
