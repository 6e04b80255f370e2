"""Loops over many layers with their numbers, and records of which some attributes belong to the class."""

from __future__ import annotations

import pytest

from tests.engine.test_installed_packages import checked

LOOPS = {
    "number not used": "for i, layer in enumerate(self.layers):\n            x = layer(x)",
    "number used": "for i, layer in enumerate(self.layers):\n            x = layer(x) * self.scales[i]",
    "two lists": "for layer, other in zip(self.layers, self.others):\n            x = layer(x) + other(x)",
    "later name": "for number, block in enumerate(self.layers, 1):\n            x = block(x)\n            y = number",
}
NETS = """\
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(width, width) for _ in range(6)])
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        for part in self.parts[:2]:
            x = torch.relu(part(x)) + x
        return self.norm(self.parts[5](x).relu() * x + x)


class Net(nn.Module):
    def __init__(self, width, count):
        super().__init__()
        self.layers = nn.ModuleList([Layer(width) for _ in range(count)])
        self.others = nn.ModuleList([Layer(width) for _ in range(count)])
        self.scales = [1.0 + i for i in range(count)]

    def forward(self, x):
        {loop}
        return x
"""


@pytest.mark.parametrize("count", [3, 40])
@pytest.mark.parametrize("loop", LOOPS)
def test_shapes_are_known_after_many_layers(tmp_path, loop, count):
    files = {"lib.py": NETS.format(loop=LOOPS[loop])}
    text = f"import torch\nfrom lib import Net\ny = Net(8, {count})(torch.zeros(2, 8))\n"
    text += "y @ torch.zeros(8, 1)\ny @ torch.zeros(9, 1)\n"
    result, _ = checked(tmp_path, files, text)
    (finding,) = result.findings
    assert finding.location.span.first.line == 5
    assert "(2, 8)" in finding.message


@pytest.mark.parametrize("annotation", ["ClassVar[dict]", "typing.ClassVar[dict[str, type]]", "ClassVar", "'ClassVar[dict]'"])
def test_attributes_of_the_class_are_no_fields(tmp_path, annotation):
    text = (
        "import typing\nfrom dataclasses import dataclass\nfrom typing import ClassVar\nimport torch\n\n\n"
        "@dataclass\nclass Base:\n"
        f"    parts: {annotation} = None\n    width: int = 8\n\n\n"
        f"@dataclass\nclass Derived(Base):\n    parts = {{'a': 3}}\n\n\n"
        "made = Derived(4)\nx = torch.zeros(made.width, made.parts['a'])\nx @ torch.zeros(3, 1)\nx @ torch.zeros(5, 1)\n"
    )
    result, _ = checked(tmp_path, {}, text)
    (finding,) = result.findings
    assert "(4, 3)" in finding.message
