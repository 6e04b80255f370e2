"""Findings of the check before the run as causes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from dllint.diagnose.causes.static_findings import StaticFindings
from dllint.diagnose.known_causes import with_causes
from dllint.diagnose.records import LossRecord, OptimizerRecord, RunRecord, TrackRecord
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.observation import Observation, Remedy, Trial
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


def run(*, first: float, last: float, steps: int = 200) -> RunRecord:
    """A run whose loss goes from one number to another in the first half."""
    track = TrackRecord("SGD", OptimizerRecord("SGD", None, ()), steps)
    half = steps // 2
    loss = LossRecord("loss", "SGD", None, None, "", tuple(range(1, steps + 1)), (*[first] * half, *[last] * (steps - half)))
    return RunRecord(("torch",), (track,), (loss,), (), (), (), (), (), (), "finished", 1.0, 0.0)


STUCK, SOLVED = run(first=1.0, last=1.0), run(first=1.0, last=0.1)
WARNED = replace(finding(9), code="DLX107", name="accuracy", fixes=())


@pytest.mark.parametrize("family", ["DLS", "DLT", "DLL", "DLI", "DLO", "DLD"])
@pytest.mark.parametrize(
    ("confidence", "ran", "observed", "severity"),
    [
        (Confidence.HIGH, STUCK, (), Severity.WARNING),
        (Confidence.MEDIUM, STUCK, (), Severity.INFO),
        (Confidence.HIGH, SOLVED, (), Severity.INFO),
        (Confidence.LOW, STUCK, (WARNED,), Severity.WARNING),
        (Confidence.LOW, SOLVED, (WARNED,), Severity.WARNING),
    ],
)
def test_what_the_check_knows_stands_before_symptoms_and_weighs_what_the_run_supports(
    family, confidence, ran, observed, severity
):
    known = replace(finding(3), code=f"{family}101", confidence=confidence)
    first, *rest = with_causes(observed, [known, known], ran)
    assert (replace(first, observation=None), rest) == (replace(known, severity=severity), list(observed))
    assert [(one.kind, one.trial) for one in first.observation.remedies] == [(known.name, None)] * len(known.fixes)


@pytest.mark.parametrize("ran", [STUCK, SOLVED])
def test_an_error_of_the_check_stays_one(ran):
    known = replace(finding(3), severity=Severity.ERROR, confidence=Confidence.MEDIUM)
    assert [found.severity for found in with_causes((), [known], ran)] == [Severity.ERROR]


def test_a_trial_of_its_repair_against_a_symptom_is_told_with_it():
    known = finding(3, (10, 12))
    trial = Trial(True, "accuracy", 0.2, 0.9, 3, True)
    remedies = (Remedy("learning-rate", known.fixes[0], None), Remedy(known.name, known.fixes[0], trial))
    shown = replace(WARNED, observation=Observation("accuracy not increasing", None, 9, {}, remedies))
    assert with_causes([shown], [known], STUCK)[0].observation.remedies == remedies[1:]


@pytest.mark.parametrize("code", ["DLN102", "DLA104", "DLG108", "DLR101"])
def test_dangers_of_numbers_releases_and_speed_explain_no_training(code):
    assert with_causes((WARNED,), [replace(finding(3), code=code)], STUCK) == (WARNED,)


def test_hints_of_the_check_and_programs_that_train_nothing_are_left_alone():
    hint = replace(finding(3), severity=Severity.HINT)
    assert with_causes((WARNED,), [hint], STUCK) == (WARNED,)
    assert with_causes((), [finding(3)], replace(STUCK, tracks=())) == ()
