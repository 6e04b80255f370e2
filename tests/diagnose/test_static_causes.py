"""Findings of the check before the run as causes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from dllint.diagnose.causes.static_findings import StaticFindings
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.span import Location, Position, Span

PATH = Path("/project/train.py")


def finding(line: int, *fixes: tuple[int, int]) -> Finding:
    """A finding with one fix, made of edits at these offsets."""
    at = Position(line, 1)
    edits = tuple(Edit(PATH, start, end, "he_normal") for start, end in fixes)
    fix = Fix("Use the default initializer", edits, Applicability.UNSAFE)
    location = Location(PATH, Span(0, 0, at, at))
    name = "constant-weight-init"
    return Finding("DLI101", name, "all weights start with 0", Severity.WARNING, Confidence.HIGH, location, (), (fix,))


def candidates(*static: Finding, symptom: str = "loss not decreasing") -> list:
    return list(
        StaticFindings().candidates(SimpleNamespace(symptom=SimpleNamespace(place=None, symptom=symptom), static=static))
    )


def test_the_same_fault_in_several_places_is_repaired_at_once_and_one_by_one():
    found = candidates(finding(1, (10, 12)), finding(2, (20, 22)))
    assert [(len(candidate.edits), candidate.message) for candidate in found] == [
        (2, "Use the default initializer, in 2 places"),
        (1, "Use the default initializer"),
        (1, "Use the default initializer"),
    ]
    assert found[0].score > found[1].score


def test_repairs_that_meet_are_not_made_at_once():
    assert [len(candidate.edits) for candidate in candidates(finding(1, (10, 15)), finding(2, (12, 22)))] == [1, 1]


@pytest.mark.parametrize("symptom", ["numerical error", "invalid loss"])
def test_a_hint_of_the_danger_that_was_met_counts_as_a_warning(symptom):
    hint = replace(finding(1, (10, 12)), code="DLN102", severity=Severity.HINT)
    warning = replace(hint, severity=Severity.WARNING)
    other = replace(hint, code="DLI101")
    scores = [[one.score for one in candidates(*static, symptom=symptom)] for static in ([hint], [warning], [other])]
    assert scores[0] == scores[1] > scores[2]
    assert candidates(hint)[0].score < scores[0][0]
