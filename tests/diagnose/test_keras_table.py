"""Each symptom on Keras, on both backends: a program that shows it, or why none can."""

from __future__ import annotations

import pytest

from dllint.diagnose.record_file import read_record
from dllint.diagnose.symptoms.registry import checks, shown
from tests.diagnose.keras_programs import ELSEWHERE, FAULTY

pytestmark = pytest.mark.oracle

#: Symptoms that an experiment of many steps finds: it is given time if tests are to be written.
LONG = ("cannot fit one batch",)


@pytest.fixture(params=["keras-torch", "keras-tensorflow"])
def framework(request):
    return request.param


@pytest.mark.sampled(every=5)
@pytest.mark.parametrize("symptom", FAULTY)
def test_a_symptom_shows(symptom, diagnose, tmp_path):
    # Whether the experiments at the end, which may explain a symptom, find time is not the same on all machines.
    record = tmp_path / "record.json"
    unhurried = ["--write-tests", str(tmp_path / "test_model.py")] if symptom in LONG else []
    done = diagnose(FAULTY[symptom], "--record", str(record), *unhurried)
    assert done.findings
    assert symptom in [found.symptom for found in shown(read_record(record))], done.stderr


def test_every_symptom_has_a_program_or_a_reason():
    assert {check.symptom for check in checks()} == {*FAULTY, *ELSEWHERE}
