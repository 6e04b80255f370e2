"""Functional dropout that is active at inference on purpose, as its functions and classes say by their names."""

from __future__ import annotations

import pytest

from tests.rules.harness import reports

PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn


def {function}(x, rate):
    return F.dropout(x, rate)


class {cls}(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.head = nn.Linear(16, 32), nn.Linear(32, 4)

    def forward(self, x):
        return self.{method}(F.relu(self.hidden(x)))

    def {method}(self, x):
        return self.head({applied})


{cls}()(torch.randn(2, 16))
"""
APPLIED = ("F.dropout(x, 0.5)", "{function}(x, 0.5)")
PLAIN = {"function": "drop", "cls": "Net", "method": "outputs"}
MEANT = (
    {"function": "mc_dropout"}, {"function": "drop_mc"}, {"method": "predict_with_uncertainty"}, {"cls": "MCDropoutNet"},
    {"cls": "BayesianNet"}, {"method": "monte_carlo_pass"}, {"cls": "McNet"}, {"cls": "NetMC"},
)  # fmt: skip
#: Names that hold the letters by chance.
BY_CHANCE = ({"function": "mcqueen"}, {"cls": "Lmcnet"}, {"method": "ftmc2"}, {"method": "to_mcu"})


def told(names: dict[str, str], applied: str) -> bool:
    given = PLAIN | names
    text = PROGRAM.format(**given, applied=applied.format(**given))
    return "DLS209" in {code for _, code in reports(text)}


@pytest.mark.parametrize("applied", APPLIED)
@pytest.mark.parametrize("names", [{}, *BY_CHANCE], ids=str)
def test_dropout_without_a_mode(names: dict[str, str], applied: str) -> None:
    assert told(names, applied)


@pytest.mark.parametrize("names", MEANT, ids=str)
def test_dropout_that_draws_on_purpose(names: dict[str, str]) -> None:
    forms = APPLIED[1:] if "function" in names else APPLIED
    assert not any(told(names, applied) for applied in forms)
