"""Early stops whose margin is larger than the gains of a measure that gets better."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dllint.diagnose.records import DecisionRecord
from dllint.diagnose.symptoms.stops import StopWhileImproving
from tests.diagnose.test_decisions import KERAS, LIGHTNING


def told(done):
    return [finding for finding in done.findings if finding["symptom"] == "stopped while improving"]


@pytest.mark.parametrize(
    ("measure", "mode", "values", "margin", "waited", "count"),
    [
        ("val_loss", "min", (2.0, 1.6, 1.3, 1.1), 0.9, 2, 1),
        ("val_accuracy", "max", (0.4, 0.5, 0.6), 0.3, 2, 1),
        # It stands still next to what it has gained; it has got worse; it has not stopped, or has not waited.
        ("val_loss", "min", (2.0, 0.5, 0.49, 0.48), 0.05, 2, 0),
        ("val_loss", "min", (2.0, 1.6, 1.3, 1.4), 0.9, 2, 0),
        ("val_loss", "min", (2.0, 1.6, 1.3, 1.1), 0.0, 2, 0),
        ("val_loss", "min", (2.0, 1.6, 1.3, 1.1), 0.9, 0, 0),
        # Which way is better is not known, or it is another finding's.
        ("reward", "max", (1.0, 2.0, 3.0), 5.0, 2, 0),
        ("val_accuracy", "min", (0.6, 0.5, 0.4), 0.3, 2, 0),
        ("val_loss", "min", (2.0,), 0.9, 2, 0),
    ],
)
def test_gains_while_a_stop_waits(measure, mode, values, margin, waited, count):
    record = DecisionRecord("EarlyStopping", None, measure, mode, values, margin, waited)
    assert len(list(StopWhileImproving().check(SimpleNamespace(decisions=(record,))))) == count


@pytest.mark.oracle
@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("given", "count"),
    [("min_delta=0.5", 1), ("min_delta=way", 1), ("min_delta=1e-4", 0), ("min_delta=0.5, baseline=0.01", 0)],
)
def test_early_stops_of_keras(diagnose, given, count):
    text = KERAS.format(kind=f"EarlyStopping(monitor='val_loss', patience=2, {given})")
    text = text.replace('way = "min"', "way = 0.4").replace('"adam"', "keras.optimizers.Adam(0.05)")
    findings = told(diagnose(text))
    assert len(findings) == count
    for finding in findings:
        assert "EarlyStopping(" in text.splitlines()[finding["location"]["row"] - 1]
        (edit,) = finding["fixes"][0]["edits"]
        assert edit["content"] == "0.0"
        assert edit["location"]["row"] == finding["location"]["row"] - ("way" in given)


@pytest.mark.parametrize(("given", "count"), [("min_delta=9.0", 1), ("min_delta=9.0, stopping_threshold=0.5", 0)])
@pytest.mark.sampled(every=2)
def test_early_stops_of_lightning(diagnose, given, count):
    assert len(told(diagnose(LIGHTNING.replace("mode=MODE, patience=9", f"patience=2, {given}")))) == count
