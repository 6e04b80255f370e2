"""A class or function that a container is given for a module: the container refuses it, and nothing is built by calls of it."""

from __future__ import annotations

import itertools

import pytest

from tests.rules.harness import findings

LAYERS = ("nn.PReLU", "nn.ReLU", "Own", "torch.relu", "lambda t: t", "nn.BatchNorm2d")
CONTAINERS = (
    "nn.Sequential(nn.Conv2d(3, 3, 3), {0})", "nn.Sequential(*[nn.Conv2d(3, 3, 3), {0}])",
    "nn.Sequential(OrderedDict(a=nn.Conv2d(3, 3, 3), b={0}))", "nn.Sequential(nn.Conv2d(3, 3, 3)).append({0})",
    "nn.Sequential(*nn.ModuleList([nn.Conv2d(3, 3, 3), {0}]))", "Block({0})", "Block(act={0})",
)  # fmt: skip
SOURCE = """
from collections import OrderedDict
import torch
from torch import nn

class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(3))
    def forward(self, x):
        return x * self.weight

class Block(nn.Sequential):
    def __init__(self, act=nn.PReLU):
        super().__init__()
        self.add_module("conv", nn.Conv2d(3, 3, 3))
        self.add_module("act", act)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Conv2d(3, 3, 3)
        self.tail = {container}
    def forward(self, x):
        return self.tail(self.head(x))
"""


@pytest.mark.oracle
@pytest.mark.parametrize(("layer", "container"), list(itertools.product(LAYERS, CONTAINERS)))
def test_nothing_is_built_in_forward(layer: str, container: str) -> None:
    torch = pytest.importorskip("torch")
    source = SOURCE.format(container=container.format(layer))
    scope: dict[str, object] = {"__name__": "net"}
    exec(source, scope)
    with pytest.raises(TypeError, match="not a Module subclass"):
        scope["Net"]()  # type: ignore[operator]
    assert torch is not None
    assert [finding.code for finding in findings(source) if finding.code in ("DLS104", "DLT101", "DLT102")] == []
