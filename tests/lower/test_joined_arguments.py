"""One of two arguments that nothing is known about is neither of them: what holds of the one need not hold of the result."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.tracing import lower

HEAD = "import torch\nfrom torch import nn\n\n"
#: What is one of two values, of which at least one is an argument.
CHOICES = (
    "width = cfg.a if cfg.flag else cfg.b",
    "width = cfg.a if cfg.flag else 12",
    "width = 12 if cfg.flag else cfg.a",
    "width = cfg.a\n        if cfg.flag:\n            width = cfg.b",
    "width = cfg.b\n        if cfg.flag:\n            width = width * 2\n        else:\n            width = cfg.a",
    "width = 5\n        for size in (cfg.a, cfg.b):\n            if size != cfg.flag:\n                width = size",
)
NET = """
class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        {choice}
        self.first = {layer}
        self.second = {other}

    def forward(self, x):
        return self.second(self.first(x))
"""
LAYERS = {
    "nn.Linear(3, width)": "nn.Linear({size}, 4)",
    "nn.Conv2d(3, width, 3)": "nn.BatchNorm2d({size})",
    "nn.Embedding(3, width)": "nn.LayerNorm({size})",
}


def faulty(choice: str, layer: str, size: str) -> bool:
    text = HEAD + NET.format(choice=choice, layer=layer, other=LAYERS[layer].format(size=size))
    return any(op.faults for program in lower(text).programs for op in program.ops)


@pytest.mark.parametrize(("choice", "layer"), list(product(CHOICES, LAYERS)))
def test_what_is_one_of_two_arguments(choice, layer):
    assert not faulty(choice, layer, "width")
    for size in ("2 * cfg.a", "2 * cfg.b", "cfg.a + 1", "24"):
        assert not faulty(choice, layer, size)
    assert faulty(choice, layer, "2 * width")


PLAN = """
def make(plan, size, norm):
    layers = []
    for v in plan:
        if v == {word}:
            layers += [nn.MaxPool2d(2)]
        else:
            layer = nn.Conv2d(size, v, 3, padding=1)
            if norm:
                layers += [layer, nn.BatchNorm2d(v), nn.ReLU()]
            else:
                layers += [layer, nn.ReLU()]
            size = v
    return nn.Sequential(*layers)


def main(cfg, {width}, loader):
    net = make({plan}, 3, cfg.norm)
    for x in loader:
        net(x)
"""
PLANS = (
    "[{w}, {w}, {p}, {w} * 2, {w} * 2]", "[{w}, {p}, {w} * 2, {p}, {w} * 2 + 1]", "({w}, 8, {p}, {w} * 2)",
    "[{w}, {p}] + [{w} * 2] * 2",
)  # fmt: skip


@pytest.mark.parametrize(("plan", "word", "width"), list(product(PLANS, ("'M'", "'pool'"), ("width", "cfg.width"))))
def test_plans_of_layers_with_unknown_widths(plan, word, width):
    name = width if width.isidentifier() else "_"
    text = HEAD + PLAN.format(word=word, width=name, plan=plan.format(w=width, p=word))
    assert not [fault for program in lower(text).programs for op in program.ops for fault in op.faults]
