"""A run under another setting than the defaults choose: what other defaults would make of it is not told."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

SCRIPT = """
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class {pairs}(Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, index):
        return torch.zeros(4), torch.zeros(4), torch.zeros(1)


class {rows}(Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, index):
        return torch.zeros(4), torch.zeros({width})


parser = argparse.ArgumentParser()
parser.add_argument('--{task}', type=str, default='forecast')
parser.add_argument('--data', type=str, default='hourly')
args = parser.parse_args()
choices = {{'hourly': {pairs}, 'rows': {rows}}}
loader = DataLoader(choices[args.data](), batch_size=5)
layer = nn.Linear(4, 4)
if args.{task} == 'forecast':
    for x, y, mark in loader:
        print((layer(x) + y).sum())
elif args.{task} == 'detect':
    {first}
    for x, y in loader:
        print((layer(x) + {target}).sum())
"""
NAMES = (("Pairs", "Rows", "task"), ("Hourly", "Anomalies", "task_name"))


def messages(tmp_path, text):
    path = tmp_path / "main.py"
    path.write_text(text)
    return [finding.message for finding in Session(Configuration(isolated=True)).check_file(path).findings]


@pytest.mark.parametrize(("names", "target"), list(product(NAMES, ("y", "layer(y)", "y.unsqueeze(0)"))))
def test_a_task_that_goes_with_another_data_set(tmp_path, names, target):
    pairs, rows, task = names
    text = SCRIPT.format(pairs=pairs, rows=rows, task=task, target=target, width=4, first="print(layer)")
    assert messages(tmp_path, text) == []


FAULTS = ("print(layer(torch.zeros(2, 3)))", "print(layer(torch.ones(4)) + torch.zeros(3))", "torch.zeros(2, 3).view(4, 2)")


@pytest.mark.parametrize(("names", "fault"), list(product(NAMES, FAULTS)))
def test_a_fault_of_the_task_whatever_the_data_are(tmp_path, names, fault):
    pairs, rows, task = names
    found = messages(tmp_path, SCRIPT.format(pairs=pairs, rows=rows, task=task, target="y", width=4, first=fault))
    assert len(found) == 1
    assert f"{task} is 'detect'" in found[0]


MODEL = """
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width={width}, heads={heads}, causal={causal}):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(width, width)
        self.causal = causal
        self.mask = nn.Linear(width, {inner})

    def forward(self, x):
        b, t, c = x.shape
        q = self.to_q(x)
        if self.causal:
            q = self.mask(q)
            q = self.to_q(q)
        return q
"""
USES = ("Attention(args.width, args.heads, causal=args.causal)", "Attention(*args.sizes)", "Attention(**vars(args))")


@pytest.mark.parametrize(("use", "odd"), list(product(USES, ("0", "-1", "7"))))
def test_a_flag_beside_defaults_that_nobody_relies_on(tmp_path, use, odd):
    (tmp_path / "main.py").write_text(f"from models import Attention\n\n\ndef main(args):\n    return {use}\n")
    for inner, wrong in (("width", False), ("2 * width", True)):
        path = tmp_path / "models.py"
        path.write_text(MODEL.format(width=odd, heads="7", causal="0", inner=inner))
        found = [f.message for f in Session(Configuration(isolated=True)).check_file(path).findings if f.code.startswith("DLT")]
        assert bool(found) is wrong, found
