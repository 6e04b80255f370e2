"""An optimizer that takes the place of another one is no second one; one beside it may be meant for another model."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import found

CODE = "DLO113"
TEXT = """import torch
from torch import nn

policy, target = nn.Linear(4, 2), nn.Linear(4, 2)
{first} = torch.optim.{kind}(policy.parameters(), lr=1e-3)
for run in range(3):
    for _ in range(100):
        x = torch.randn(8, 4)
        loss = nn.functional.mse_loss(policy(x), 0.9 * target(x))
        {first}.zero_grad()
        loss.backward()
        {first}.step()
        {further}
    {second} = torch.optim.{kind}(policy.parameters(), lr=1e-3)
"""
OBJECT = """import torch
from torch import nn

class Agent:
    def __init__(self):
        self.policy, self.target = nn.Linear(4, 2), nn.Linear(4, 2)
        self.{first} = torch.optim.{kind}(self.policy.parameters(), lr=1e-3)
        {beside}

    def learn(self, x):
        loss = nn.functional.mse_loss(self.policy(x), 0.9 * self.target(x))
        self.{first}.zero_grad()
        loss.backward()
        self.{first}.step()
        {further}

    def reset(self):
        {again}

agent = Agent()
for run in range(3):
    for _ in range(100):
        agent.learn(torch.randn(8, 4))
    agent.reset()
"""
NAMES, KINDS = ("optimizer", "opt"), ("Adam", "SGD")


@pytest.mark.parametrize(("name", "kind"), list(product(NAMES, KINDS)))
def test_optimizers_made_again_are_silent(name: str, kind: str, tmp_path: Path):
    again = f"self.{name} = torch.optim.{kind}(self.policy.parameters(), lr=1e-3)"
    text = OBJECT.format(first=name, kind=kind, beside="", further="", again=again)
    assert found({"main.py": text}, tmp_path, (CODE,)) == [], text
    text = TEXT.format(first=name, second=name, kind=kind, further="")
    assert found({"main.py": text}, tmp_path, (CODE,)) == [], text


@pytest.mark.parametrize(("name", "kind"), list(product(NAMES, KINDS)))
def test_two_beside_each_other_are_told(name: str, kind: str, tmp_path: Path):
    beside = f"self.other = torch.optim.{kind}(self.policy.parameters(), lr=1e-3)"
    text = OBJECT.format(first=name, kind=kind, beside=beside, further="self.other.step()", again="pass")
    assert found({"main.py": text}, tmp_path, (CODE,)) == [CODE], text
