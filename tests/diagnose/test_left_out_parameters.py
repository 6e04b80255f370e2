"""Parameters that no optimizer has: one finding at the optimizer, with a repair for every way of giving them."""

from __future__ import annotations

import pytest

PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(512, 8)
y = (x[:, 0] * x[:, 1] > 0).long()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 8), nn.ReLU())
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.inner(x))


def chosen(network, decay):
    weights = [p for name, p in network.named_parameters() if "head" in name and p.ndim > 1]
    others = [p for name, p in network.named_parameters() if "head" in name and p.ndim < 2]
    return [{{"params": weights, "weight_decay": decay}}, {{"params": others}}]


def train(network, optimizer):
    for epoch in range(6):
        for rows in torch.randperm(512).split(32):
            loss = F.cross_entropy(network(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


{main}
"""

WAYS = {
    "a part of the model": "{m} = Net()\noptimizer = torch.optim.Adam({m}.head.parameters(), lr=0.01)\ntrain({m}, optimizer)",
    "groups by a function": "{m} = Net()\noptimizer = torch.optim.AdamW(chosen({m}, 1e-4), lr=0.01)\ntrain({m}, optimizer)",
    "groups in a name": (
        "{m} = Net()\ngroups = chosen({m}, 1e-4)\noptimizer = torch.optim.AdamW(groups, lr=0.01)\ntrain({m}, optimizer)"
    ),
    "groups in a list": (
        '{m} = Net()\noptimizer = torch.optim.Adam([{{"params": {m}.head.parameters(), "lr": 0.01}}], lr=0.1)\n'
        "train({m}, optimizer)"
    ),
    "a trainer": (
        "class Trainer:\n    def __init__(self, {m}):\n        self.net = {m}\n"
        "        self.optimizer = torch.optim.Adam(chosen(self.net, 1e-4), lr=0.01)\n\n"
        "    def run(self):\n        train(self.net, self.optimizer)\n\n\nTrainer(Net()).run()"
    ),
    "a function that builds it": (
        "def built({m}):\n    optimizer = torch.optim.Adam(chosen({m}, 1e-4), lr=0.01)\n    return optimizer\n\n\n"
        "model = Net()\ntrain(model, built(model))"
    ),
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", ["model", "m"])
@pytest.mark.parametrize("way", WAYS)
def test_one_finding_at_the_optimizer(diagnose, way, name):
    text = PROGRAM.format(main=WAYS[way].format(m=name))
    found = [finding for finding in diagnose(text).findings if finding["symptom"] == "unchanged weight"]

    assert len(found) == 1
    assert "and 2 more layers" in found[0]["message"]
    assert "torch.optim" in text.splitlines()[found[0]["location"]["row"] - 1]
    assert found[0]["step"] <= 6
    assert found[0]["fixes"]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("way", ["groups by a function", "groups in a name", "a trainer", "a function that builds it"])
def test_the_rest_is_given_to_the_optimizer(diagnose, way):
    done = diagnose(PROGRAM.format(main=WAYS[way].format(m="net")), replay=True)
    best = done.findings[0]["fixes"][0]

    assert (best["kind"], best["recommended"]) == ("optimizer-parameters", True)
    assert "add_param_group" in best["edits"][0]["content"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", ["network", "teacher"])
def test_a_model_that_was_trained_before_by_an_optimizer_that_is_gone_is_none(diagnose, name):
    fit = "train({m}, torch.optim.{kind}({m}.parameters(), lr=0.01))\n"
    first = f"def first():\n    {name} = Net()\n    {fit.format(m=name, kind='SGD')}    return {name}\n\n\n"
    then = f"{name} = first()\nscores = {name}(x).detach()\nsmall = Net()\n{fit.format(m='small', kind='Adam')}"
    done = diagnose(PROGRAM.format(main=first + then))
    assert not [finding for finding in done.findings if finding["symptom"] == "unchanged weight"]


STAGES = {
    "two statements": (
        "optimizer = torch.optim.Adam({m}.parameters(), lr=0.001)\n{change}\ntrain({m}, optimizer)",
        "optimizer = torch.optim.Adam",
    ),
    "a function that builds it": (
        "def adam(network):\n    return torch.optim.Adam(network.parameters(), lr=0.001)\n\n\n"
        "optimizer = adam({m})\n{change}\ntrain({m}, optimizer)",
        "optimizer = adam(",
    ),
    "a class that builds it": (
        "class Session:\n    def __init__(self, network):\n        self.network = network\n"
        "        self.optimizer = torch.optim.Adam(network.parameters(), lr=0.001)\n\n\n"
        "def tune({m}):\n    session = Session({m})\n    {change}\n    train({m}, session.optimizer)\n\n\ntune({m})",
        "    session = Session(",
    ),
}
CHANGES = ("{m}.head = nn.Linear(8, 3)", "renew({m})", "{m}.head = head(3)")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", ["net", "model"])
def test_layers_that_replace_others_after_the_optimizer_was_built_are_told_where_they_do(diagnose, name, stage, change):
    helpers = (
        "def renew(network):\n    network.head = nn.Linear(8, 3)\n\n\ndef head(width):\n    return nn.Linear(8, width)\n\n\n"
    )
    text, builds = STAGES[stage]
    first = "{m} = Net()\ntrain({m}, torch.optim.SGD({m}.parameters(), lr=0.01))\n"
    source = PROGRAM.format(main=helpers + (first + text.replace("{change}", change)).format(m=name))
    (found,) = [finding for finding in diagnose(source).findings if finding["symptom"] == "unchanged weight"]
    rows = source.splitlines()
    changed = change.format(m=name)
    told = rows[found["location"]["row"] - 1].strip()
    assert told in {changed, "network.head = nn.Linear(8, 3)", "return nn.Linear(8, width)"}
    assert "head (weight, bias)" in found["message"]
    assert any(rows[edit["location"]["row"] - 1].startswith(builds) for fix in found["fixes"] for edit in fix["edits"])
