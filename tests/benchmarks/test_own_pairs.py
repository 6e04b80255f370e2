"""The authored numerical faults are faults: run once, they show NaN or infinity, and their repaired twins do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.recall.triggers import PROGRAMS, folders

ROOT = Path(__file__).parents[2]


@pytest.fixture
def framework() -> str:
    return "keras-tensorflow"


@pytest.mark.thorough
@pytest.mark.oracle
def test_faulty_programs_fail_and_repaired_ones_do_not(run_in_fork):
    status, out, err = run_in_fork([str(ROOT / "benchmarks" / "recall" / "triggers.py")], ROOT, plain=True)
    assert status == 0, err
    found = json.loads(out)
    assert len(found) >= 30
    assert {name: verdict for name, verdict in found.items() if verdict != {"buggy": False, "fixed": True}} == {}


def test_every_pair_is_labelled_and_names_the_report_it_follows():
    rows = [json.loads(line) for line in (PROGRAMS.parent / "dev.jsonl").read_text(encoding="utf-8").splitlines()]
    labelled = {row["case"]: row for row in rows if row["set"] == "numeric-own" and row["status"] == "buggy"}
    assert labelled.keys() == {folder.name for folder in folders()}
    for folder in folders():
        text = (folder / "buggy.py").read_text(encoding="utf-8")
        assert "\nFollows " in text, folder.name
