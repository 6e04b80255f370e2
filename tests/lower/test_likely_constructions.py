"""Models that nothing constructs here are made with what other code likely passes; what this shows proves nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import Program
from dllint.lower.document import Lowered, lower_document
from dllint.source.document import Document
from dllint.source.workspace import Workspace

NET = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, channels, width, depth, classes=3):
        super().__init__()
        self.stem = nn.Conv2d(channels, width, 3, padding=1)
        self.blocks = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(depth)])
        self.head = nn.Linear({head}, classes + depth)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = torch.relu(block(x))
        return self.head(x.mean((2, 3)))

    def features(self, x):
        return self.head(self.stem(x).mean((2, 3)))
"""
#: Files that tell what is passed.
CALLERS = {
    "train.py": "import argparse\nfrom net import Net\np = argparse.ArgumentParser()\n"
    "p.add_argument('--channels', type=int, default={0})\np.add_argument('--width', type=int, default={1})\n"
    "def build(args):\n    depth = {2}\n    return Net(args.channels, args.width, depth=depth, classes=read())\n",
    "tests/test_net.py": "from net import Net\ndef test_net():\n    assert Net({0}, {1}, depth={2})\n",
    "conf/model/net.yaml": "_target_: net.Net\nchannels: {0}\nwidth: {1}\ndepth: {2}\nclasses: ${{classes}}\n",
    "config.toml": "[model]\nchannels = {0}\nwidth = {1}\ndepth = {2}\n",
    "README.md": "```python\nfrom net import Net\nnet = Net({0}, {1}, {2})\n```\n",
}


def analysed(root: Path, head: str = "width") -> Lowered:
    document = Document.from_text(root / "net.py", NET.replace("{head}", head))
    found = lower_document(document, Workspace([root]))
    assert found.failures == []
    return found


def told(root: Path, caller: str, *sizes: int) -> None:
    (root / caller).parent.mkdir(parents=True, exist_ok=True)
    (root / caller).write_text(CALLERS[caller].format(*sizes))


def entry(found: Lowered, name: str) -> Program:
    return next(program for program in found.programs if program.entry == name)


@pytest.mark.parametrize("caller", CALLERS)
def test_sizes_are_those_that_are_likely_passed(caller, tmp_path):
    for seed in range(3):
        channels, width, depth = Random(seed).sample(range(2, 9), 3)
        told(tmp_path, caller, channels, width, depth)
        program = entry(analysed(tmp_path), "Net.forward")
        convolutions = [op for op in program.ops if op.kind == "conv"]
        assert {op.outputs[0].type.shape[1] for op in convolutions} == {width}
        assert program.inputs[0].type.shape[1] == channels
        assert program.ops[-1].outputs[0].type.shape[1] == 3 + depth


@pytest.mark.parametrize("caller", CALLERS)
def test_what_is_wrong_for_these_sizes_only_is_not_told(caller, tmp_path):
    told(tmp_path, caller, 3, 8, 2)
    for name in ("Net.forward", "Net.features"):
        assert not any(op.faults for op in entry(analysed(tmp_path, "7 * depth"), name).ops)


@pytest.mark.parametrize("caller", [*CALLERS, None])
def test_what_is_wrong_for_all_sizes_is_told_as_without_them(caller, tmp_path):
    if caller is not None:
        told(tmp_path, caller, 3, 8, 2)
    for name in ("Net.forward", "Net.features"):
        assert [op.kind for op in entry(analysed(tmp_path, "width + 1"), name).ops if op.faults] == ["linear"]


def test_nobody_else_takes_the_object_for_one_that_the_program_makes(tmp_path):
    told(tmp_path, "README.md", 3, 8, 2)
    found = analysed(tmp_path)
    shapes = {program.entry: program.inputs[0].type.shape for program in found.programs if program.inputs}
    assert not any(isinstance(shape, Unknown) for shape in shapes.values())
