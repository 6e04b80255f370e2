"""Weighted samplers with fewer weights than samples: told where they are built, with the weight of each sample as repair."""

from __future__ import annotations

import pytest

PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
x = torch.randn(300, 6)
{y} = (x[:, 0] + x[:, 1] > 1).long()

def class_weights(given):
    return 1 / torch.bincount(given).double()

{sampler}
loader = DataLoader(TensorDataset(x, {y}), batch_size=30, sampler=sampler)
net = nn.Linear(6, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for rows, labels in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(rows), labels).backward()
        optimizer.step()
"""
WRONG = (
    "weights = class_weights({y})\nsampler = WeightedRandomSampler(weights, num_samples=300)",
    "sampler = WeightedRandomSampler(weights=class_weights({y}), num_samples=300)",
)
RIGHT = (
    "weights = class_weights({y})[{y}]\nsampler = WeightedRandomSampler(weights, num_samples=300)",
    "sampler = WeightedRandomSampler(class_weights({y}).gather(0, {y}), 60, replacement=False)",
)


def told(done):
    return [finding for finding in done.findings if finding["symptom"] == "samples never drawn"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", ["y", "labels_of_all"])
@pytest.mark.parametrize("sampler", WRONG)
def test_weights_of_classes_are_told_at_the_sampler(diagnose, sampler, name):
    text = PROGRAM.format(sampler=sampler.format(y=name), y=name)
    (finding,) = told(diagnose(text))
    assert "WeightedRandomSampler(" in text.splitlines()[finding["location"]["row"] - 1]
    assert finding["fixes"][0]["edits"][0]["content"] == f"[{name}]"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("sampler", RIGHT)
def test_a_weight_for_each_sample_is_silent(diagnose, sampler):
    assert not told(diagnose(PROGRAM.format(sampler=sampler.format(y="y"), y="y")))
