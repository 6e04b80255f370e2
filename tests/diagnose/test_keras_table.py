"""Each symptom on Keras, on both backends: a program that shows it, or why none can."""

from __future__ import annotations

import pytest

from dllint.diagnose.symptoms.registry import checks
from tests.diagnose.keras_programs import ELSEWHERE, FAULTY

pytestmark = pytest.mark.oracle


@pytest.fixture(params=["keras-torch", "keras-tensorflow"])
def framework(request):
    return request.param


@pytest.mark.parametrize("symptom", FAULTY)
def test_a_symptom_shows(symptom, diagnose):
    done = diagnose(FAULTY[symptom])
    assert symptom in [finding["symptom"] for finding in done.findings], done.stderr


def test_every_symptom_has_a_program_or_a_reason():
    assert {check.symptom for check in checks()} == {*FAULTY, *ELSEWHERE}
