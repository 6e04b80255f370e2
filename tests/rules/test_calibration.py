"""What was measured lowers what rules claim, everywhere."""

from __future__ import annotations

import itertools

import pytest

from dllint.engine.registry import catalogue, metadata
from dllint.finding import Confidence
from dllint.rules import calibration
from tests.rules.harness import findings

FAULTY = "import torch\n\nx = torch.zeros(3).view(7)\n"


@pytest.mark.parametrize(("claimed", "reached"), list(itertools.product(Confidence, Confidence)))
def test_a_finding_gets_the_lower_of_both(claimed, reached, monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", {"DLT105": reached})
    assert calibration.calibrated("DLT105", claimed).rank == max(claimed.rank, reached.rank)
    assert calibration.calibrated("DLT101", claimed) is claimed


@pytest.mark.parametrize("reached", list(Confidence))
def test_findings_and_pages_follow(reached, monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", {"DLT105": reached})
    (found,) = findings(FAULTY)
    assert found.confidence is reached
    assert metadata("DLT105")["confidence"] == reached.value


def test_the_table_names_rules():
    assert calibration.REACHED.keys() <= catalogue().entries.keys()
