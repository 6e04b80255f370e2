"""Gradients that are cleared before a step: found by the passes that a step has used, repaired by clearing after the step."""

from __future__ import annotations

import pytest

HEAD = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(600, 8)
y = (x[:, 0] * x[:, 1] > 0).long()
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
{name} = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for number, rows in enumerate(torch.randperm(600).split(10), 1):
"""
BACKWARD = "(F.cross_entropy(net(x[rows]), y[rows]) / 4).backward()\n"
ATTACK = "given = x[rows].requires_grad_()\nF.cross_entropy(net(given), y[rows]).backward()\n"
#: The gradients of two passes, kept and put together by hand.
KEPT = (
    "kept = []\n"
    "for half in rows.chunk(2):\n"
    "    {name}.zero_grad()\n"
    "    F.cross_entropy(net(x[half]), y[half]).backward()\n"
    "    kept.append([weight.grad.clone() for weight in net.parameters()])\n"
    "for weight, *parts in zip(net.parameters(), *kept):\n"
    "    weight.grad = sum(parts) / 2\n"
    "{name}.step()\n"
)
STEP = "if number % 4 == 0:\n    {name}.step()\n"
ZERO = "{name}.zero_grad()\n"


def program(*parts, name="optimizer"):
    body = "".join(parts)
    text = HEAD + "".join(f"        {line}\n" for line in body.splitlines())
    return text.format(name=name)


def told(done):
    return [finding for finding in done.findings if finding["symptom"] == "discarded gradients"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", ["optimizer", "sgd"])
@pytest.mark.parametrize("parts", [(ZERO, BACKWARD, STEP), (BACKWARD, STEP, ZERO)])
def test_gradients_that_are_cleared_in_each_pass_are_told_there(diagnose, parts, name):
    text = program(*parts, name=name)
    (finding,) = told(diagnose(text))
    rows = text.splitlines()
    assert f"{name}.zero_grad()" in rows[finding["location"]["row"] - 1]
    assert (finding["evidence"]["cleared"], finding["evidence"]["used"]) == (135, 45)
    assert finding["fixes"][0]["kind"] == "accumulation"
    assert any("step()" in rows[edit["location"]["row"] - 1] for edit in finding["fixes"][0]["edits"])


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(
    "parts",
    [
        (BACKWARD, STEP, "    " + ZERO),
        (ZERO, BACKWARD, "{name}.step()\n"),
        (ATTACK, ZERO, BACKWARD, "{name}.step()\n", ZERO),
        (KEPT,),
    ],
)
def test_accumulation_and_gradients_that_are_wanted_for_themselves_are_silent(diagnose, parts):
    assert not told(diagnose(program(*parts)))
