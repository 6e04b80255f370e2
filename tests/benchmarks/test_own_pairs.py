"""The authored numerical faults are faults: run once, they show NaN or infinity, and their repaired twins do not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.recall.triggers import PROGRAMS, folders

ROOT = Path(__file__).parents[2]


@pytest.mark.oracle
def test_faulty_programs_fail_and_repaired_ones_do_not():
    pytest.importorskip("tensorflow")
    command = [sys.executable, "-m", "benchmarks.recall.triggers"]
    environment = {**os.environ, "KERAS_BACKEND": "tensorflow"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert len(found) >= 30
    assert {name: verdict for name, verdict in found.items() if verdict != {"buggy": False, "fixed": True}} == {}


def test_every_pair_is_labelled_and_names_the_report_it_follows():
    rows = [json.loads(line) for line in (PROGRAMS.parent / "dev.jsonl").read_text(encoding="utf-8").splitlines()]
    labelled = {row["case"]: row for row in rows if row["set"] == "numeric-own" and row["status"] == "buggy"}
    assert labelled.keys() == {folder.name for folder in folders()}
    for folder in folders():
        text = (folder / "buggy.py").read_text(encoding="utf-8")
        assert "\nFollows " in text, folder.name
