"""Watching changes no result."""

from __future__ import annotations

import json

import pytest

from tests.diagnose.scripts import HEALTHY

SAVING = """
import random, sys
import numpy as np
state = {"net": net.state_dict(), "optimizer": optimizer.state_dict()}
torch.save([state, torch.get_rng_state(), random.random(), float(np.random.rand()), float(loss)], sys.argv[1])
"""

PREPARATIONS = {
    "adam": lambda text: text,
    "lbfgs": lambda text: text.replace(
        "    loss = criterion(net(batch[0]), batch[1])\n    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n",
        "    def closure():\n        optimizer.zero_grad()\n        loss = criterion(net(batch[0]), batch[1])\n"
        "        loss.backward()\n        return loss\n    loss = optimizer.step(closure)\n",
    ).replace("Adam(net.parameters(), lr=0.01)", "LBFGS(net.parameters(), lr=0.01, max_iter=3)"),
    "amp": lambda text: (
        text.replace("    optimizer.step()\n", "    scaler.step(optimizer)\n    scaler.update()\n")
        .replace("loss.backward()", "scaler.scale(loss).backward()")
        .replace("step = 0\n", "step = 0\nscaler = torch.amp.GradScaler('cpu')\n")
        .replace(
            "    loss = criterion",
            "    with torch.autocast('cpu', torch.bfloat16):\n        out = net(batch[0])\n    loss = criterion",
        )
        .replace("criterion(net(batch[0])", "criterion(out.float()")
    ),
    "accumulation": lambda text: text.replace("    optimizer.zero_grad()\n", "").replace(
        "    optimizer.step()\n", "    if step % 4 == 3:\n        optimizer.step()\n        optimizer.zero_grad()\n"
    ),
}


@pytest.mark.parametrize("kind", PREPARATIONS)
def test_weights_optimizer_state_and_random_numbers_are_bitwise_the_same(kind, tmp_path, run_in_fork):
    folder = tmp_path / "project"
    folder.mkdir()
    seeds = "import random, numpy; random.seed(0); numpy.random.seed(0)\n"
    (folder / "train.py").write_text(seeds + PREPARATIONS[kind](HEALTHY.replace("STEPS", "40")) + SAVING)
    contents = []
    for command in ([], ["diagnose"]):
        saved = tmp_path / f"{len(contents)}" / "state.pt"
        saved.parent.mkdir()
        status, out, err = run_in_fork([*command, "train.py", str(saved)], folder, plain=not command)
        assert status == 0, out + err
        contents.append(saved.read_bytes())
    assert contents[0] == contents[1]
    assert [path.name for path in folder.iterdir()] == ["train.py"]


NAMED = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(512, 8), torch.randint(0, 3, (512,))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 32)
        self.head = nn.Linear(32, 3)

    def forward(self, values, scale=1.0):
        hidden = torch.relu(self.layer(values) * scale).detach() * 0
        return {"hidden": hidden, "logits": self.head(hidden)}


net = WRAPPER
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(60):
    rows = torch.randperm(512)[:64]
    loss = F.cross_entropy(net(values=x[rows], scale=2.0)["logits"], y[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("wrapper", ["Net()", "nn.DataParallel(Net())"])
def test_models_with_named_arguments_and_several_outputs_are_experimented_with(diagnose, tmp_path, wrapper):
    record = tmp_path / "record.json"
    diagnose(NAMED.replace("WRAPPER", wrapper), "--record", str(record))
    run = json.loads(record.read_text())
    assert {experiment["name"] for experiment in run["experiments"]} >= {"modes", "one-batch-fit"}
    assert run["closing"]
