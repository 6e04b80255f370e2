"""Schedules that take the rate away in the first steps: found by the rates in effect, repaired where the schedule steps."""

from __future__ import annotations

import pytest

PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(600, 8)
y = (x[:, 0] * x[:, 1] > 0).long()
net = nn.Sequential(nn.Linear(8, 48), nn.ReLU(), nn.Linear(48, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
{name} = torch.optim.lr_scheduler.{schedule}
{loop}
"""
BATCH = """loss = F.cross_entropy(net(x[rows]), y[rows])
optimizer.zero_grad()
loss.backward()
optimizer.step()
"""


def indented(text, depth):
    return "".join(f"{'    ' * depth}{line}\n" for line in text.splitlines())


NESTED = "for epoch in range(8):\n    for rows in torch.randperm(600).split(30):\n" + indented(BATCH + "{name}.step()", 2)
FUNCTION = (
    "def train_epoch(model, {name}):\n    for rows in torch.randperm(600).split(30):\n"
    + indented(BATCH + "{name}.step()", 2)
    + "\n\nfor epoch in range(8):\n    train_epoch(net, {name})\n"
)
SOUND = "for epoch in range(8):\n    for rows in torch.randperm(600).split(30):\n" + indented(BATCH, 2) + "    {name}.step()\n"
SCHEDULES = ["StepLR(optimizer, 1, gamma=0.5)", "ExponentialLR(optimizer, 0.7)", "LambdaLR(optimizer, lambda n: 0.6**n)"]


def program(loop, schedule, name="scheduler"):
    return PROGRAM.format(name=name, schedule=schedule, loop=loop.format(name=name))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", ["scheduler", "rates"])
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("loop", [NESTED, FUNCTION])
def test_a_schedule_that_steps_per_batch_is_moved(diagnose, loop, schedule, name):
    text = program(loop, schedule, name)
    fixes = [fix for finding in diagnose(text).findings for fix in finding["fixes"] if fix["kind"] == "schedule"]

    assert "once per pass" in fixes[0]["message"]
    rows = [edit["location"]["row"] for edit in fixes[0]["edits"]]
    assert any(f"{name}.step()" in text.splitlines()[row - 1] for row in rows)


def test_the_repair_is_confirmed(diagnose):
    done = diagnose(program(NESTED, SCHEDULES[0]), replay=True)
    best = done.findings[0]["fixes"][0]

    assert (best["kind"], best["recommended"]) == ("schedule", True)


@pytest.mark.parametrize("schedule", ["StepLR(optimizer, 3, gamma=0.5)", "CosineAnnealingLR(optimizer, 8)"])
def test_a_usual_schedule_is_no_cause(diagnose, schedule):
    done = diagnose(program(SOUND, schedule))

    assert not [fix for finding in done.findings for fix in finding["fixes"] if fix["kind"] == "schedule"]
