"""Slips: each kind makes another Python program, files are loaded without what they run, and proofs are proofs."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from random import Random

import libcst as cst
import pytest

from benchmarks.slips.checking import importers
from benchmarks.slips.kinds import KINDS, models
from benchmarks.slips.repositories import listed
from benchmarks.slips.seeding import changed

MODEL = """
import torch
from torch import nn
from torch.nn import functional as F

import not_there

torch.nn.CrossEntropyLoss, nn.BCEWithLogitsLoss
loss = {loss}


@not_there.decorated
def helper(x):
    return x


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.embedding = nn.Embedding(20, width)
        self.conv1 = nn.Conv2d(3, 4, 3, stride=1, padding=1)
        self.conv2 = nn.Conv2d(4, 6, kernel_size=3)
        self.norm = nn.BatchNorm2d(6)
        self.pool = nn.MaxPool2d(2)
        self.shortcut = nn.Conv2d(3, 4, 1)
        self.rnn = nn.LSTM(225, width, batch_first=True)
        self.attention = nn.MultiheadAttention(width, 2)
        self.head = nn.Sequential(nn.Flatten(), nn.ReLU(), nn.Linear(6 * 225, width), nn.Sigmoid())
        self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        y = F.relu(self.conv1(x))
        y = y + self.shortcut(x)
        y = self.conv2(y)
        y = self.pool(self.norm(y))
        out, _ = self.rnn(y.view(y.size(0), 6, 225))
        z = self.head(y) * self.scale
        z = self.blocks[0](z)
        z = torch.cat([z, out.mean(dim=1)], dim=1)
        z = z.unsqueeze(1).squeeze(1).permute(0, 1).unsqueeze(-1)
        w = torch.bmm(z, z.transpose(1, 2)) @ z
        w = w.flatten(1)
        return w


print("it must not run")
for _ in range(3):
    raise SystemExit
"""
FORMS = {"BCE with": "nn.BCEWithLogitsLoss()", "sigmoid before BCE forgotten": "nn.BCELoss()"}


#: What the first place of a kind comes to.
EXPECTED = {
    "in_channels of a convolution": "raises",
    "super().__init__() forgotten": "raises",
    "list instead of ModuleList": "differs",
    "tensor instead of Parameter": "differs",
    "activation forgotten": "differs",
    "embedding too small": "",  # nobody looks anything up
}


def text_for(name: str) -> str:
    loss = next((loss for part, loss in FORMS.items() if part in name), "nn.CrossEntropyLoss()")
    text = MODEL.format(loss=loss)
    return text.replace("nn.Sigmoid()", "nn.Tanh()") if "softmax before" in name or "sigmoid before BCE with" in name else text


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_kind_makes_another_program(kind):
    text = text_for(kind.name)
    if kind.name == "axis of softmax":
        text = text.replace("return w", "return torch.softmax(w, dim=1)")
    tree = cst.parse_module(text)
    made = [changed(tree, change) for model in models(tree) for change in kind.find(model)]
    assert made
    assert all(edited is not None and edited != text for edited in made)
    before = ast.dump(ast.parse(text))
    assert any(ast.dump(ast.parse(edited or "")) != before for edited in made)


def test_there_are_enough_kinds_and_repositories():
    assert len(KINDS) >= 25
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert len(listed()) >= 25
    assert all(repository.commit for repository in listed())


@pytest.mark.parametrize(
    "line", ["import net", "from net import Net", "from .net import Net", "from a.net import Net", "from a import net"]
)
def test_importers_are_found(tmp_path, line):
    net, user, other = tmp_path / "net.py", tmp_path / "user.py", tmp_path / "other.py"
    net.write_text(MODEL)
    user.write_text(f"{line}\n")
    other.write_text("import network\nplanet = 1\n")
    assert importers(tmp_path, net) == [user]


@pytest.mark.oracle
def test_definitions_run_and_slips_are_proved(tmp_path: Path, monkeypatch):
    from benchmarks.slips import running
    from benchmarks.slips.seeding import proved, sources

    class InProcess(running.Runner):
        def run(self, root, file, text, model, recipe=None):
            before, modules = list(sys.meta_path), dict(sys.modules)
            request = {"root": str(root), "file": str(file), "text": text, "model": model, "recipe": recipe}
            try:
                return running._answer(request)
            finally:
                sys.meta_path[:] = before
                for name in set(sys.modules) - set(modules):
                    if not name.startswith(("torch", "benchmarks", "numpy")):
                        del sys.modules[name]

    monkeypatch.setattr(sys, "argv", ["pytest"])
    monkeypatch.setattr(running, "_SEARCH_SECONDS", 1)
    file = tmp_path / "net.py"
    file.write_text(MODEL.format(loss=1))
    (source,) = sources(tmp_path, Random(1))
    runner = InProcess()
    healthy = source.healthy(runner, "Net")
    assert healthy["Net"]["shapes"] == [[3, 16]]
    outcomes = {}
    for kind in KINDS:
        for change in list(kind.find(source.models[0]))[:1] if kind.name in EXPECTED else ():
            edited = changed(source.tree, change)
            outcomes[kind.name] = proved(kind, source, edited or "", healthy, runner)[0]
    assert outcomes == EXPECTED
