"""Programs with two faults: each repair alone changes nothing, both together do."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.diagnose.causes.hypothesis import Candidate
from dllint.diagnose.trials.pairs import pairs_for
from dllint.edit import Edit

PATH = Path("train.py").absolute()

TWO_FAULTS = """import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(512, 20) * 255
y = ((x - 127) @ torch.randn(20, 3)).argmax(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(20, 64)
        self.head = nn.Linear(64, 3)

    def forward(self, batch):
        return torch.softmax(self.head(torch.relu(self.first(batch))), dim=1)


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(10):
    for start in range(0, 512, 32):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[start : start + 32]), y[start : start + 32])
        loss.backward()
        optimizer.step()
"""


def candidate(kind: str, start: int, end: int, score: float = 0.5) -> Candidate:
    return Candidate(kind, f"Change {kind}", (Edit(PATH, start, end, kind),), score)


def test_the_best_of_a_symptom_is_joined_with_what_did_most_good():
    own, poor, good = candidate("axis", 0, 3), candidate("clipping", 5, 6), candidate("input-scale", 8, 8)
    both = pairs_for([own], {own: 0.3, poor: 0.2, good: 0.9})
    assert [pair.kind for pair in both] == ["axis+input-scale", "axis+clipping"]
    assert both[0].message == "Change axis, and change input-scale"
    assert both[0].edits == (own.edits[0], good.edits[0])


def test_repairs_that_overlap_or_are_of_one_kind_are_not_joined():
    own = candidate("axis", 0, 5)
    others = {own: 0.1, candidate("axis", 9, 9): 0.9, candidate("dropout", 4, 6): 0.9}
    assert pairs_for([own], others) == []
    insertion = candidate("axis", 7, 7)
    assert pairs_for([insertion], {insertion: 0.1, candidate("dropout", 7, 7): 0.9}) == []


def test_what_could_not_run_is_not_joined():
    own, other = candidate("axis", 0, 3), candidate("clipping", 5, 6)
    assert pairs_for([own], {other: 0.5}) == []


@pytest.mark.thorough
def test_two_faults_are_repaired_together_and_what_does_most_good_comes_first(diagnose):
    done = diagnose(TWO_FAULTS, replay=True)
    activation = next(found for found in done.findings if found["symptom"] == "out of range")
    best = activation["fixes"][0]
    assert best["recommended"]
    assert "input-scale" in best["kind"].split("+")
    assert len(best["kind"].split("+")) == 2
    assert best["before"] < 0.6 < 0.9 < best["after"]
    gains = [fix["after"] - fix["before"] for found in done.findings for fix in found["fixes"][:1] if fix["recommended"]]
    assert len(gains) > 1
    assert gains[0] >= max(gains) - 0.1
