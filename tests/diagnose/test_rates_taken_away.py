"""Schedules that take the rate away too early: found by the rates in effect, repaired by a step per pass or a slower decay."""

from __future__ import annotations

import pytest

TORCH = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import lr_scheduler

torch.manual_seed(0)
x = torch.randn(400, 12)
y = (x[:, 0] * x[:, 1] + 0.5 * torch.randn(400) > 0).long()


class Trainer:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(12, 24), nn.Tanh(), nn.Linear(24, 2))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.02)
        self.{name} = lr_scheduler.{schedule}

    def advance(self, rows):
        self.optimizer.zero_grad()
        F.cross_entropy(self.net(x[rows]), y[rows]).backward()
        self.optimizer.step()
        {per_batch}

    def fit(self):
        for epoch in range(12):
            for rows in torch.randperm(400).split(20):
                self.advance(rows)
            {per_pass}


Trainer().fit()
"""
DECAYS = ("ExponentialLR(self.optimizer, 0.8)", "StepLR(self.optimizer, step_size=8, gamma=0.1)")
KERAS = """
import keras
import numpy as np

keras.utils.set_random_seed(0)
x = np.random.default_rng(0).normal(size=(400, 12)).astype("float32")
y = (x[:, 0] * x[:, 1] > 0).astype("int32")
every = {every}
decay = keras.optimizers.schedules.ExponentialDecay(
    0.01,
    every,
    0.5,
)
net = keras.Sequential([keras.Input((12,)), keras.layers.Dense(2)])
net.compile(keras.optimizers.SGD(decay), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
net.fit(x, y, batch_size=20, epochs=12, verbose=0)
"""


def told(done):
    return [finding for finding in done.findings if finding["symptom"] == "learning rate taken away"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", ["scheduler", "decay"])
@pytest.mark.parametrize("schedule", DECAYS)
def test_a_decay_that_is_stepped_with_each_batch_is_told_there(diagnose, schedule, name):
    text = TORCH.format(name=name, schedule=schedule, per_batch=f"self.{name}.step()", per_pass="pass")
    (finding,) = told(diagnose(text))
    rows = text.splitlines()
    assert rows[finding["location"]["row"] - 1].strip() == f"self.{name}.step()"
    added = max(finding["fixes"][0]["edits"], key=lambda edit: edit["location"]["row"])
    assert added["content"].endswith(f"            self.{name}.step()")


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "schedule", [*DECAYS, "CosineAnnealingLR(self.optimizer, 12)", "ReduceLROnPlateau(self.optimizer, patience=0, factor=0.01)"]
)
def test_a_decay_by_passes_and_a_plateau_are_silent(diagnose, schedule):
    step = "self.decay.step(1.0)" if "Plateau" in schedule else "self.decay.step()"
    assert not told(diagnose(TORCH.format(name="decay", schedule=schedule, per_batch="pass", per_pass=step)))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(("every", "count"), [(10, 1), (100, 0)])
def test_a_decay_of_keras_is_told_at_its_pace(diagnose, every, count):
    text = KERAS.format(every=every)
    found = told(diagnose(text))
    assert len(found) == count
    for finding in found:
        assert text.splitlines()[finding["location"]["row"] - 1].strip() == "every,"
        assert finding["fixes"][0]["edits"][0]["content"] == "240"
