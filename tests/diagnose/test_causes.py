"""What may have caused a symptom: programs with one fault each and its repair, and programs that look alike."""

from __future__ import annotations

import pytest

from dllint.edit import Edit, apply_edits
from tests.diagnose.loops import BINARY, CLASSES, NET, NUMBERS, SQUARES, loop

LOADER = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
y = torch.randint(0, 3, (512,))
x = torch.randn(512, 8) + 2 * torch.randn(3, 8)[y]
{before}net = nn.Sequential({layers})
optimizer = torch.optim.{optimizer}
{between}loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=32, shuffle=True)
for epoch in range({epochs}):
    for xb, yb in loader:
        loss = F.cross_entropy(net(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
{after}"""


def loader(
    layers="nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3)",
    before="",
    between="",
    after="",
    optimizer="SGD(net.parameters(), lr=0.1)",
    epochs=8,
):
    return LOADER.format(layers=layers, before=before, between=between, after=after, optimizer=optimizer, epochs=epochs)


def repairs(done, symptom):
    """The repairs of a symptom, by kind; the first of each."""
    found = {}
    for finding in done.findings:
        if finding["symptom"] == symptom:
            for fix in finding["fixes"]:
                found.setdefault(fix["kind"], fix)
    return found


def applied(text, fix):
    """The program with a repair."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    edits = [
        Edit(
            "train.py",
            lines[edit["location"]["row"] - 1] + edit["location"]["column"] - 1,
            lines[edit["end_location"]["row"] - 1] + edit["end_location"]["column"] - 1,
            edit["content"],
        )
        for edit in fix["edits"]
    ]
    return apply_edits(text, edits)


FAULTS = {
    "optimizer-step": (
        loop().replace("    optimizer.step()\n", ""),
        "unchanged weight",
        "    loss.backward()\n    optimizer.step()\n",
    ),
    "loss-sign": (loop(loss="loss = -F.cross_entropy(net(xb), yb)"), "invalid loss", "loss = F.cross_entropy(net(xb), yb)"),
    "label-range": (loop(data=CLASSES + " + 1"), "out of range", "F.cross_entropy(net(xb), yb - 1)"),
    "class-weight": (
        loop(
            data="N = 2048\ny = (torch.arange(N) < 60).long()\nx = torch.randn(N, 8) + 0.4 * y[:, None]",
            model=NET.replace("32, 3", "32, 2"),
            optimizer="SGD(net.parameters(), lr=0.01)",
            picked="torch.randperm(N)[:128]",
            steps=160,
        ),
        "class imbalance",
        "weight=torch.tensor([0.5",
    ),
    "output-activation": (
        loop(model="net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2), nn.Tanh())", data=NUMBERS, loss=SQUARES),
        "out of range",
        "nn.ReLU(), nn.Linear(32, 2))",
    ),
    "nonlinearity": (
        loop(
            data="N = 2048\nx = torch.randn(N, 2)\ny = ((x[:, 0] > 0) ^ (x[:, 1] > 0)).long()",
            model="net = nn.Sequential(nn.Linear(2, 16), nn.Linear(16, 2))",
            picked="torch.randperm(N)[:256]",
        ),
        "cannot fit one batch",
        "nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2)",
    ),
    "batch-iteration": (
        loop(picked="next(iter(torch.utils.data.DataLoader(range(N), batch_size=32)))"),
        "identical batches",
        "batches = (batch for _ in iter(int, 1) for batch in torch.utils.data.DataLoader(range(N), batch_size=32))\nfor step",
    ),
    "norm-momentum": (
        loader(
            "nn.Linear(8, 32), nn.BatchNorm1d(32, momentum=0.001), nn.ReLU(), nn.Linear(32, 3)", "x = x * 3 + 4\n", epochs=6
        ),
        "train/eval gap",
        "momentum=0.1",
    ),
    "train-mode": (
        loader("nn.Linear(8, 32), nn.Dropout(0.2), nn.ReLU(), nn.Linear(32, 3)", after="    net.eval()\n", epochs=40),
        "training in evaluation mode",
        "    net.train()\n    for xb, yb in loader:",
    ),
    "eval-mode": (
        loader(
            "nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3)",
            after="    with torch.no_grad():\n        print(F.cross_entropy(net(x), y))\n",
        ),
        "evaluation in training mode",
        "    net.eval()\n    with torch.no_grad():\n        print(F.cross_entropy(net(x), y))\n    net.train()",
    ),
    "missing-values": (
        loader(before="x[7, 3] = float('nan')\n"),
        "numerical error",
        "whole = xb.flatten(1).isfinite().all(1); xb, yb = xb[whole], yb[whole]",
    ),
    "optimizer-parameters": (
        loader("nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 10)", between="net[2] = nn.Linear(32, 3)\n"),
        "unchanged weight",
        "net[2] = nn.Linear(32, 3)\noptimizer = torch.optim",
    ),
    "optimizer-parameters ": (
        loop(
            model="def build():\n    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))\n\n\ndraft = build()",
            optimizer="SGD(draft.parameters(), lr=0.1)\nnet = build()",
        ),
        "unchanged weight",
        "draft = build()\nnet = build()\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nfor step",
    ),
    "axis": (
        loop(
            model="net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3), nn.LogSoftmax(dim=0))",
            loss="loss = F.nll_loss(net(xb), yb)",
        ),
        "batch cross-talk",
        "nn.LogSoftmax(dim=-1)",
    ),
    "paired-shuffle": (
        loop(data=CLASSES + "\nx = x[torch.randperm(N)]\ny = y[torch.randperm(N)]", optimizer="SGD(net.parameters(), lr=0.01)"),
        "accuracy not increasing",
        "order = torch.randperm(N)\nx = x[order]\ny = y[order]",
    ),
    "paired-shuffle ": (
        loop(
            data=CLASSES + "\nx = x[torch.randperm(len(x))]\ny = y[torch.randperm(len(y))]",
            optimizer="SGD(net.parameters(), lr=0.01)",
        ),
        "accuracy not increasing",
        "order = torch.randperm(len(x))\nx = x[order]\ny = y[order]",
    ),
    "target-scale": (
        loop(data="x = torch.randn(N, 8)\ny = x[:, :2] * 2e4 + 3e5", model=NET.replace("32, 3", "32, 2"), loss=SQUARES),
        "cannot fit one batch",
        "F.mse_loss(net(xb), (yb - 2.99",
    ),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_repair_of_the_fault_is_proposed(diagnose, kind):
    text, symptom, expected = FAULTS[kind]
    found = repairs(diagnose(text), symptom)
    assert expected in applied(text, found[kind.strip()])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("kind", ["optimizer-step", "label-range", "output-activation", "target-scale"])
def test_the_repair_is_confirmed_by_trials(diagnose, kind):
    text, symptom, _ = FAULTS[kind]
    best = next(iter(repairs(diagnose(text, replay=True), symptom).values()))
    assert (best["kind"], best["tested"], best["removed_symptom"]) == (kind, True, True)
    assert best["after"] > best["before"]


LIKE = {
    "weights updated by hand": loop(optimizer="SGD(net.parameters(), lr=0.1)").replace(
        "    optimizer.step()\n",
        "    with torch.no_grad():\n        for p in net.parameters():\n            p -= 0.1 * p.grad\n",
    ),
    "negative likelihoods that are minimised": loop(
        data=NUMBERS,
        model=NET.replace("32, 3", "32, 4"),
        loss="out = net(xb); loss = F.gaussian_nll_loss(out[:, :2], yb, out[:, 2:].exp() * 1e-3)",
    ),
    "a tanh for targets between -1 and 1": loop(
        data="x = torch.randn(N, 8)\ny = torch.tanh(x[:, :2])",
        model="net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2), nn.Tanh())",
        loss=SQUARES,
    ),
    "a linear model that suits the data": loop(
        data=NUMBERS, model="net = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 2))", loss=SQUARES
    ),
    "frozen statistics in fine-tuning": loader(
        "nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3)", between="net.train()\nnet[1].eval()\n"
    ),
    "an evaluation of the training batch": loader(
        "nn.Linear(8, 32), nn.Dropout(0.1), nn.ReLU(), nn.Linear(32, 3)",
    ).replace(
        "        optimizer.zero_grad()",
        "        out = net(xb); print(F.cross_entropy(out, yb).item())\n"
        "        with torch.no_grad():\n            print(F.cross_entropy(out, yb))\n        optimizer.zero_grad()",
    ),
    "modes that are switched": loader(
        "nn.Linear(8, 32), nn.Dropout(0.1), nn.ReLU(), nn.Linear(32, 3)",
        after="    net.eval()\n    with torch.no_grad():\n        print(F.cross_entropy(net(x), y))\n    net.train()\n",
    ),
    "rare samples that are recognised": loop(
        data="N = 1024\ny = (torch.arange(N) < 60).long()\nx = torch.randn(N, 8) + 4 * y[:, None]",
        model=NET.replace("32, 3", "32, 2"),
        picked="torch.randperm(N)[:128]",
    ),
    "one order for samples and labels": loop(data=CLASSES + "\norder = torch.randperm(N)\nx, y = x[order], y[order]"),
    "yes and no as numbers": loop(
        data=BINARY, model=NET.replace("32, 3", "32, 1"), loss="loss = F.binary_cross_entropy_with_logits(net(xb), yb)"
    ),
}


@pytest.mark.parametrize("name", LIKE)
def test_programs_that_look_alike_are_left_alone(diagnose, name):
    assert diagnose(LIKE[name]).findings == []


@pytest.mark.parametrize("optimizer", ["Adam(net.parameters(), lr=3.0)", "SGD(net.parameters(), lr=100.0)"])
def test_a_rate_that_is_far_too_high_is_told_at_the_optimizer(diagnose, optimizer):
    data = "x = torch.randn(N, 8)\ny = ((x @ torch.randn(8, 8)).relu().sum(1).argsort().argsort() * 3 // N)"
    deep = "net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3))"
    done = diagnose(loop(data=data, model=deep, optimizer=optimizer))
    (symptom,) = {finding["symptom"] for finding in done.findings} & {"exploding", "numerical error"}
    assert "learning-rate" in repairs(done, symptom)
