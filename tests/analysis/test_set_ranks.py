"""A rank that layers set themselves is no invention of ours, whoever calls the model or nobody."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings

NET = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = {first}
        self.last = {last}

    def forward(self, x):
        y = {between}
        return self.last(y)
"""
#: A layer, and one that takes other ranks than it gives.
PAIRS = (
    ("nn.Conv2d(3, 8, 3)", "nn.Conv1d(8, 4, 3)"),
    ("nn.MaxPool2d(2)", "nn.BatchNorm1d(8)"),
    ("nn.BatchNorm2d(8)", "nn.BatchNorm3d(8)"),
    ("nn.Conv1d(3, 8, 3)", "nn.BatchNorm2d(8)"),
    ("nn.ConvTranspose2d(3, 8, 3)", "nn.MaxPool1d(2)"),
)
KEPT = (
    "self.first(x)",
    "torch.relu(self.first(x))",
    "torch.cat([self.first(x), self.first(x)], 1)[:, :8]",
    "self.first(x).transpose(0, 1).transpose(0, 1)",
    "self.first(x) + self.first(x)",
)


def severities(first: str, last: str, between: str) -> list[Severity]:
    found = findings(NET.format(first=first, last=last, between=between))
    return [finding.severity for finding in found if finding.code == "DLT102"]


@pytest.mark.parametrize(("pair", "between"), list(product(PAIRS, KEPT)))
def test_a_rank_between_layers_is_told_as_a_warning(pair, between):
    assert severities(*pair, between) == [Severity.WARNING]


@pytest.mark.parametrize(
    "between", ["torch.zeros(2, 3).expand_as(x.mean((2, 3)))", "x.sum(1)", "self.first(x) if x.sum() > 0 else x"]
)
@pytest.mark.parametrize("pair", PAIRS)
def test_a_rank_that_arguments_decide_is_not(pair, between):
    assert Severity.WARNING not in severities(*pair, f"({between})")
