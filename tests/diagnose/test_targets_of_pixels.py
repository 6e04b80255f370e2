"""Masks that are stored as pictures, 0 and 255, given to a loss of probabilities: repaired where the loss takes them."""

from __future__ import annotations

import pytest

PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
pictures = torch.rand(200, 1, 8, 8)
masks = (pictures > 0.6).float(){scale}
net = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 1, 1){last})
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
criterion = {criterion}


def step(rows, {name}):
    loss = criterion(net(rows), {name})
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


for epoch in range(6):
    for rows in torch.randperm(200).split(20):
        step(pictures[rows], masks[rows])
"""
LOSSES = (("nn.BCEWithLogitsLoss()", ""), ("F.binary_cross_entropy_with_logits", ""))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", ["wanted", "y"])
@pytest.mark.parametrize(("criterion", "last"), LOSSES)
def test_masks_of_pixels_are_divided(diagnose, criterion, last, name):
    text = PROGRAM.format(scale=" * 255", criterion=criterion, last=last, name=name)
    finding = diagnose(text, replay=True).findings[0]
    best = finding["fixes"][0]

    assert finding["symptom"] == "out of range"
    assert [edit["content"] for edit in best["edits"]] == [f"{name} / 255"]
    assert best["recommended"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("scale", ["", " * 0.9"])
def test_masks_of_shares_are_silent(diagnose, scale):
    text = PROGRAM.format(scale=scale, criterion="nn.BCEWithLogitsLoss()", last="", name="y")
    assert "out of range" not in {finding["symptom"] for finding in diagnose(text).findings}
