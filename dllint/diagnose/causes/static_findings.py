"""Findings of the static check, with the repairs that it has proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Candidate, Hypothesis
from dllint.edit import Applicability, Edit
from dllint.finding import Finding

_AT_THE_PLACE: Final = 0.97
_BY_SEVERITY: Final = {"error": 0.8, "warning": 0.7, "info": 0.15, "hint": 0.05}
#: Symptoms of numbers that went wrong. The run has met what the check of numbers could only not exclude, so that its hints
#: count as warnings.
_OF_NUMBERS: Final = frozenset({"numerical error", "invalid loss"})
_NUMERIC: Final = "DLN"


class StaticFindings(Hypothesis):
    """A finding at the symptom's lines explains it best; others count by their severity. Where a rule has found the same fault
    in several places, one repair alone may do nothing: all at once are a candidate, too, and the first one."""

    kind = "static"
    supports: ClassVar = {}

    def candidates(self, case: Case) -> Iterator[Candidate]:
        """The repairs under the names of their rules."""
        by_finding = [found for finding in case.static if (found := tuple(_single(case, finding)))]
        for name in dict.fromkeys(found[0].kind for found in by_finding):
            yield from _together([found[0] for found in by_finding if found[0].kind == name])
        for found in by_finding:
            yield from found

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """None of its own."""
        return iter(())


def _single(case: Case, finding: Finding) -> Iterator[Candidate]:
    """The repairs of one finding."""
    for index, fix in enumerate(finding.fixes):
        if fix.applicability is not Applicability.DISPLAY:
            edits = tuple(replace(edit, path=edit.path.absolute()) for edit in fix.edits)
            yield Candidate(finding.name, fix.message, edits, _score(case, finding) - 0.01 * index)


def _together(candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Repairs of the same fault in several places as one; none if they meet."""
    edits = sorted({edit for candidate in candidates for edit in candidate.edits})
    if len(candidates) < 2 or any(a.path == b.path and b.start < a.end for a, b in pairwise(edits)):
        return
    score = max(candidate.score for candidate in candidates) + 0.005
    message = f"{candidates[0].message}, in {len(candidates)} places"
    yield Candidate(candidates[0].kind, message, tuple(edits), score)


def _score(case: Case, finding: Finding) -> float:
    place, span = case.symptom.place, finding.location.span
    is_same_file = place is not None and str(finding.location.path.absolute()) == place.path
    if place is not None and is_same_file and span.first.line <= place.end_line and place.line <= span.last.line:
        return _AT_THE_PLACE
    by_severity = _BY_SEVERITY[finding.severity.value]
    is_met = case.symptom.symptom in _OF_NUMBERS and finding.code.startswith(_NUMERIC)
    return max(by_severity, _BY_SEVERITY["warning"]) if is_met else by_severity
