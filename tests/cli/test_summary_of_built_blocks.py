"""``dllint summary`` of blocks whose widths, rates and calls a constructor computes, against what torch counts."""

from __future__ import annotations

import json
from itertools import product

import pytest

pytestmark = pytest.mark.oracle

BLOCKS = """\
import math

import torch
from torch import nn


class Drop(nn.Module):
    def __init__(self, {rate}):
        super().__init__()
        self.{rate} = {rate}

    def forward(self, x):
        return x if not self.training else nn.functional.dropout(x, self.{rate})


class Block(nn.Module):
    def __init__(self, width, {rate}, kind="plain"):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.drop = Drop({rate}) if {asked} else nn.Identity()
        {chosen}

    def {first}(self, x):
        return x + self.drop(self.inner(x))

    def other(self, x):
        return x - self.drop(self.inner(x))


class Net(nn.Module):
    def __init__(self, count=4, top={top}):
        super().__init__()
        rates = {rates}
        self.blocks = nn.Sequential(*[Block(8, rates[i]) for i in range(count)])

    def forward(self, x):
        return self.blocks(x)


model = Net()
model.eval()
out = model(torch.ones(2, 8))
"""
RATES = (
    "[r.item() for r in torch.linspace(0, top, count)]", "torch.linspace(0, top, count).tolist()",
    "[float(r) for r in torch.linspace(0, top, count)]", "[top * i / (count - 1) for i in range(count)]",
    "torch.linspace(0, top, count).split([2, 2])[1].tolist() * 2",
)  # fmt: skip
ASKED = ("rate > 0.", "rate", "rate != 0", "not rate <= 0")
#: How a block gets the method that it is called by.
CHOSEN = (
    ("forward", "self.ready = True"), ("plain", "self.forward = self.plain if kind == 'plain' else self.other"),
    ("plain", "self.forward = getattr(self, kind)"), ("plain", "setattr(self, 'forward', self.plain)"),
)  # fmt: skip


def cases():
    for number, (rates, asked) in enumerate(product(RATES, ASKED)):
        yield rates, asked, CHOSEN[number % len(CHOSEN)], (0.3, 0.0)[number % 3 == 1]


@pytest.mark.parametrize(("rates", "asked", "chosen", "top"), list(cases()))
def test_blocks_are_counted_once_each(rates, asked, chosen, top, dllint, tmp_path):
    name = "drop_prob" if len(rates) % 2 else "rate"
    text = BLOCKS.format(rate=name, asked=asked.replace("rate", name), first=chosen[0], chosen=chosen[1], top=top, rates=rates)
    names: dict = {}
    exec(text, names)
    model = names["model"]
    path = tmp_path / "net.py"
    path.write_text(text, encoding="utf-8")
    shown = dllint("summary", str(path), "--output-format", "json", "--python", "none")
    found = next(model for model in json.loads(shown.out) if model["model"] == "Net")
    assert found["parameters_complete"]
    assert found["parameters"] == sum(p.numel() for p in model.parameters())
    counted = {module["path"]: module for module in _modules(found["tree"]) if module["path"].endswith("inner")}
    assert len(counted) == 4
    assert all(len(module["calls"]) == 1 for module in counted.values()), counted
    kinds = [type(block.drop).__name__ for block in model.blocks]
    assert [module["kind"] for module in _modules(found["tree"]) if module["path"].endswith("drop")] == kinds


def _modules(module):
    yield module
    for child in module["children"]:
        yield from _modules(child)
