"""Normalisations whose features stand on another axis than the layer wants: nothing that follows is a fault of its own."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

SOURCE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(30, {features}), {norm}, nn.ReLU())
        self.head = nn.Linear({features}, 5)

    def forward(self, x):
        return self.head(self.body(x)){more}


scores = Net()(torch.rand({shape}))
loss = nn.MSELoss()(scores, torch.rand(scores.shape[0]))
"""
NORMS = [("nn.BatchNorm1d({})", "4, {}, 30"), ("nn.InstanceNorm1d({}, affine=True)", "4, {}, 30"),
         ("nn.BatchNorm2d({})", "4, {}, 3, 30"), ("nn.SyncBatchNorm({})", "4, {}, 30")]  # fmt: skip


@pytest.mark.parametrize(("norm", "shape"), NORMS)
@pytest.mark.parametrize("steps", [1, 6])
@pytest.mark.parametrize("more", ["", ".squeeze(1)", ".mean(1)", ".flatten(1).softmax(1)"])
def test_the_cause_is_told_alone(norm: str, shape: str, steps: int, more: str) -> None:
    source = SOURCE.format(features=15, norm=norm.format(15), shape=shape.format(steps), more=more)
    (found,) = [one for one in findings(source) if one.code.startswith(("DLT", "DLL"))]
    assert found.code == "DLT101"
    assert "move them to axis 1" in found.advice
