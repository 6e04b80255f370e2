"""What is done to a whole module reaches the parts of which branches have left one of several."""

from __future__ import annotations

import itertools

import pytest

from tests.lower.tracing import lower
from tests.rules.harness import findings

PROGRAM = """
import sys
import torch
from torch import nn


class Small(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.{first} = nn.Linear(6, width)

    def forward(self, x):
        return self.{first}(x)


class Large(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.{first} = nn.Linear(6, width, bias=False)
        self.last = nn.Linear(width, width)

    def forward(self, x):
        return self.last(self.{first}(x))


class Net(nn.Module):
    def __init__(self, large, width=8):
        super().__init__()
        {choice}
        self.projection = nn.Parameter(torch.empty(width, 4))

    @property
    def dtype(self):
        return self.tower.{first}.weight.dtype

    def forward(self, x):
        x = self.tower(x.type(self.dtype))
        return x.type(self.dtype) @ self.projection


def change(part):
    if isinstance(part, nn.Linear):
        part.weight.data = part.weight.data.{to}()
        if part.bias is not None:
            part.bias.data = part.bias.data.{to}()
    if hasattr(part, "projection"):
        part.projection.data = part.projection.data.{to}()


net = Net(len(sys.argv) > 1)
{how}
y = net(torch.ones(2, 6))
"""
CHOICES = (
    "self.tower = Large(width) if large else Small(width)",
    "if large:\n            self.tower = Large(width)\n        else:\n            self.tower = Small(width)",
    "self.tower = Small(width)\n        if large:\n            self.tower = Large(width)",
)
LOOP = "change(net)\nfor part in net.modules():\n    change(part)"
HOW = ("net.{to}()", "net.apply(change)", "net = net.{to}()\nnet = net.eval()")
TYPES = {"half": "float16", "double": "float64", "bfloat16": "bfloat16"}


@pytest.mark.parametrize(("choice", "how", "to"), list(itertools.product(CHOICES, HOW, TYPES)))
def test_all_weights_have_the_new_type(choice: str, how: str, to: str) -> None:
    text = PROGRAM.format(choice=choice, how=how.format(to=to), to=to, first="first")
    assert [finding.code for finding in findings(text) if finding.code.startswith("DLT")] == []
    results = [op for op in lower(text).programs[0].ops if op.kind == "matmul"]
    assert [str(op.outputs[0].type.dtype) for op in results] == [TYPES[to]], text


@pytest.mark.parametrize(("choice", "to"), list(itertools.product(CHOICES, TYPES)))
def test_a_loop_over_the_parts_claims_nothing_wrong(choice: str, to: str) -> None:
    text = PROGRAM.format(choice=choice, how=LOOP, to=to, first="inner")
    assert [finding.code for finding in findings(text) if finding.code.startswith("DLT")] == []
