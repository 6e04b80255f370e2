"""The smoke subset of the fault suite, and the committed results of the whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"


@pytest.mark.thorough
@pytest.mark.oracle
def test_one_fault_and_its_twin():
    from benchmarks.bisection.suite import SMOKE, run_subject

    pytest.importorskip("onnxruntime")
    faulty, benign = run_subject("transformer", SMOKE, compare=False)
    assert faulty["found"] == faulty["expected"]
    assert faulty["evaluations"] <= faulty["allowed"]
    assert benign["found"] == []


def test_the_power_is_as_promised():
    rows = {row["times"]: row for row in json.loads((RESULTS / "bisection-power.json").read_text())["rows"]}
    assert all(row["false culprits"] <= 0.01 * row["repetitions"] for row in rows.values())
    assert rows[1.0]["detected"] >= 0.8 * rows[1.0]["repetitions"]
    assert rows[1.5]["detected"] >= 0.95 * rows[1.5]["repetitions"]
