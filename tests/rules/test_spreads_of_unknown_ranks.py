"""The spread of a tensor of which not even the rank is known: one number in its place would have none."""

from __future__ import annotations

import itertools

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings

PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        return self.conv(x)

    def {method}(self, x):
        x = {made}
        return (x - x.min()) / {spread}
"""
MADE = ("F.conv2d(x, weight=torch.randn(3, 3, 1, 1))", "torch.relu(x) + torch.randn(3)", "x * torch.rand(4)")
SPREADS = (
    "(x.max() - x.min())",
    "x.std()",
    "torch.sqrt(x.var())",
    "(torch.amax(x) - torch.amin(x))",
    "(x - x.mean()).abs().max()",
)


@pytest.mark.parametrize("made", MADE)
def test_the_spread_of_what_is_not_known_is_not_shown_to_be_zero(made: str) -> None:
    for spread, method in itertools.product(SPREADS, ("to_rgb", "forward_features")):
        text = PROGRAM.format(made=made, spread=spread, method=method)
        told = {found.code for found in findings(text) if found.severity in (Severity.ERROR, Severity.WARNING)}
        assert "DLN102" not in told, text
