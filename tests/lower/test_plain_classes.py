"""Methods of plain classes that nothing has called: on what kind of object they are run."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import findings

TEXT = """
import math
import torch
from torch import nn

class {name}:
    def __init__(self, mean, var=None):
        self.mean = mean
        self.var = var

    def distance(self, other):
        return torch.log(other.var) - torch.{function}(self.var)

class Owner(nn.Module):
    def __init__(self, size, start={start}):
        super().__init__()
        self.prior = {name}(0.0, float(start))
        self.fc = nn.Linear(size, 3)

    def forward(self, x):
        return self.fc(x)
{more}
"""
#: Other places at which objects are made.
OTHERS = (
    "def made(x):\n    return {name}(x.mean(0), x.var(0))",
    "class Second(Owner):\n    def forward(self, x):\n        y = self.fc(x)\n        return {name}(y, y.exp())",
    "def made(parts):\n    return [{name}(*part) for part in parts]",
)


def told(text: str) -> list[str]:
    return [finding.message for finding in findings(text) if finding.code == "DLT118"]


@pytest.mark.parametrize(("name", "function", "more"), list(product(("Normal", "_Pair"), ("log", "sqrt"), OTHERS)))
def test_one_object_says_nothing_about_others(name: str, function: str, more: str) -> None:
    assert told(TEXT.format(name=name, function=function, start="100.0 ** 2", more=more.format(name=name))) == []


@pytest.mark.parametrize("function", ["log", "sqrt"])
def test_the_only_construction_counts(function: str) -> None:
    assert len(told(TEXT.format(name="Normal", function=function, start=4.0, more=""))) == 1
