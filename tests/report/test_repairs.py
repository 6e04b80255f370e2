"""How fixes that were tried are told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.observation import Observation, Remedy, Trial
from dllint.report.formats import render
from dllint.report.listing import Listing
from dllint.report.repairs import in_words, repair_table
from dllint.report.schema import diagnosis_schema
from dllint.source.lines import Lines
from dllint.span import Location

BASE = Path("/project")
PATH = BASE / "train.py"
TEXT = "optimizer = SGD(parameters, lr=5)\n"
GOOD = Trial(True, "accuracy", 0.31, 0.9, 3)
BAD = Trial(False, "accuracy", 0.31, 0.3, 1)


def fix(message: str, value: str) -> Fix:
    start = TEXT.index("5")
    return Fix(message, (Edit(PATH, start, start + 1, value),), Applicability.UNSAFE)


LOWER, CLIP, HIGHER = fix("Lower the rate", "0.5"), fix("Clip", "clip"), fix("Raise the rate", "50")
FINDING = Finding(
    "DLX104",
    "exploding",
    "The loss grows",
    Severity.WARNING,
    Confidence.HIGH,
    Location(PATH, Lines(TEXT).span(0, 9)),
    fixes=(LOWER, CLIP),
    observation=Observation(
        "exploding",
        None,
        9,
        {},
        (Remedy("learning-rate", LOWER, GOOD), Remedy("clipping", CLIP), Remedy("learning-rate", HIGHER, BAD)),
    ),
)


def listing(*findings: Finding) -> Listing:
    return Listing(findings, lambda path, cell: TEXT, base=BASE, quiet=True)


def test_full_tells_how_each_fix_fared():
    assert list(render("full", listing(FINDING)))[5:] == [
        "fix: Lower the rate (unsafe): recommended, accuracy 0.31 -> 0.9 over 3 seeds",
        "fix: Clip (unsafe)",
        "  |",
        "1 - optimizer = SGD(parameters, lr=5)",
        "  + optimizer = SGD(parameters, lr=0.5)",
        "tried: Raise the rate: the symptom stays, accuracy 0.31 -> 0.3",
        "",
    ]


@pytest.mark.parametrize(
    ("trial", "text"),
    [
        (Trial(True, "accuracy", 0.9, 0.1, 3), "the symptom is gone, but less is learnt, accuracy 0.9 -> 0.1 over 3 seeds"),
        (Trial(False, "accuracy", 0.9, 0.8, 1, instead="exploding"), "exploding instead, accuracy 0.9 -> 0.8"),
        (Trial(True, "accuracy", 0.9, 0.9, 1, learns=False), "the symptom is gone, but nothing is learnt, accuracy 0.9 -> 0.9"),
    ],
)
def test_a_fix_that_stops_learning_is_no_good(trial, text):
    assert in_words(trial) == text


def test_the_table_has_a_row_for_each_finding():
    bare = replace(FINDING, code="DLX106", observation=Observation("loss not decreasing", None, 9, {}))
    assert list(repair_table(listing(FINDING, bare), 200)) == [
        "place         finding                     repair               outcome",
        "train.py:1:1  DLX104 exploding            Lower the rate (+2)  recommended, accuracy 0.31 -> 0.9 over 3 seeds",
        "train.py:1:1  DLX106 loss not decreasing",
    ]
    assert list(repair_table(listing(FINDING), 200)) == []


@pytest.mark.parametrize("width", [90, 75, 10])
def test_the_table_fits_if_it_can(width):
    rows = list(repair_table(listing(FINDING, FINDING), width))
    assert max(map(len, rows)) <= max(width, 75)
    assert all(row.startswith(("place ", "train.py:1:1 ")) for row in rows)
    assert "…" in rows[1]


def test_json_of_a_run_follows_its_schema():
    odd = replace(
        FINDING,
        observation=Observation(
            "exploding", "Net.0", None, {"ratio": float("inf"), "parts": [1, "a"], "flag": True}, (Remedy("clipping", CLIP),)
        ),
    )
    records = json.loads("".join(render("json", listing(FINDING, odd))), parse_constant=pytest.fail)
    jsonschema.validate(records, diagnosis_schema())
    assert [fix["recommended"] for fix in records[0]["fixes"]] == [True, False, False]
    assert [fix["tested"] for fix in records[0]["fixes"]] == [True, False, True]
    assert records[1]["evidence"] == {"ratio": "inf", "parts": [1, "a"], "flag": True}
    for record in ({**records[0], "step": "nine"}, {key: value for key, value in records[0].items() if key != "evidence"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate([record], diagnosis_schema())
