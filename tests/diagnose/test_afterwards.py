"""What is looked at again when a run has ended."""

from __future__ import annotations

import json

import pytest

HEAD = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(512, 8)
y = (x @ torch.randn(8, 4)).argmax(1)
body = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 16))
head = nn.Linear(16, 4)
net = nn.Sequential(body, head)
optimizer = torch.optim.Adam([*body.parameters(), *head.parameters()], lr=0.01)
for step in range(150):
    at = torch.randint(0, 512, (32,))
    loss = F.cross_entropy(head(body(x[at])), y[at])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("called", ["head(body(x[at]))", "net(x[at])"])
def test_what_another_module_made_is_not_asked_again(called, diagnose, tmp_path):
    done = diagnose(HEAD.replace("head(body(x[at]))", called), "--record", str(tmp_path / "run.json"))
    assert (done.status, done.findings) == (0, [])
    closing = json.loads((tmp_path / "run.json").read_text())["closing"]
    assert bool(closing) is (called != "head(body(x[at]))")


SEQUENCES = """
import torch
from torch import nn


class Sums(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(1, 16, batch_first=True)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return self.out(self.rnn(x)[1][0])


torch.manual_seed(0)
net = Sums()
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
for step in range(120):
    x = torch.randn(16, int(torch.randint(3, 8, ())), 1)
    loss = nn.functional.mse_loss(net(x), x.sum(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("changed", ["", "    x[0, 0] = float('nan')\n    x = x.nan_to_num()\n"])
def test_rows_that_simple_models_cannot_take_are_left_out(changed, diagnose):
    done = diagnose(SEQUENCES.replace("    loss =", changed + "    loss ="))
    assert (done.status, done.findings) == (0, []), done.stderr
