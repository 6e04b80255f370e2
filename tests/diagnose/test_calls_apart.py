"""Sound programs that call their model, or a copy of it, where calls are hard to follow: the loss inside the model, an average
of the weights without gradients."""

from __future__ import annotations

import json

import pytest

AVERAGED = """
import copy
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(600, 8)
y = (x[:, 0] * x[:, 1] > 0).long()
net = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 2))
{average}
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(4):
    for rows in torch.randperm(500).split(25):
        optimizer.zero_grad()
        F.cross_entropy(net(x[rows]), y[rows]).backward()
        optimizer.step()
        {update}
    with torch.no_grad():
        print(F.cross_entropy({module}(x[500:]), y[500:]))
"""
COPIED = "with torch.no_grad():\n            for a, b in zip({0}.parameters(), net.parameters()): a.lerp_(b, 0.1)"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("average", "update", "module"),
    [
        ("average = copy.deepcopy(net).eval()", COPIED.format("average"), "average"),
        ("slow = torch.optim.swa_utils.AveragedModel(net)\nslow.eval()", "slow.update_parameters(net)", "slow"),
    ],
)
def test_an_average_in_evaluation_mode_is_not_the_model_in_training(diagnose, average, update, module):
    found = diagnose(AVERAGED.format(average=average, update=update, module=module)).findings
    assert not [finding for finding in found if finding["symptom"] == "evaluation in training mode"]


INSIDE = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randint(0, 20, (600, 10))
y = (x + 1) % 20


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Embedding(20, 16), nn.ReLU(), nn.Linear(16, 20))

    def forward(self, given, labels):
        scores = self.body(given)
        loss = F.cross_entropy(scores.view(-1, 20), labels.reshape(-1))
        return {answer}


net = Tagger()
optimizer = torch.optim.Adam(net.parameters(), lr=0.03)
for epoch in range(5):
    for rows in torch.randperm(600).split(30):
        {call}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        del {freed}
"""


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("answer", "call", "freed"),
    [
        ("loss, scores", "loss, scores = net(x[rows], y[rows])", "loss, scores"),
        ('{"loss": loss, "logits": scores}', 'out = net(given=x[rows], labels=y[rows]); loss = out["loss"]', "loss, out"),
    ],
)
def test_a_loss_inside_the_model_is_not_paired_with_the_call_before(diagnose, tmp_path, answer, call, freed):
    record = tmp_path / "record.json"
    done = diagnose(INSIDE.format(answer=answer, call=call, freed=freed), "--record", str(record))
    assert not [finding for finding in done.findings if finding["severity"] != "info"]
    run = json.loads(record.read_text(encoding="utf-8"))
    last = run["losses"][0]["values"][-1]
    assert all(call["value"] < 10 * last for call in run["closing"])
