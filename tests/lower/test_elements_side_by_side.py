"""Elements of a sequence of unknown length beside those of a known one: what is learnt of one says nothing of the others."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

PERCEPTUAL = """
import torch
from torch import nn
from torchvision import models

class Heads(nn.ModuleList):
    def __init__(self, widths):
        super().__init__([nn.Sequential(nn.Identity(), nn.Conv2d(width, 1, 1)) for width in widths])

class Perceptual(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = models.alexnet(True).features
        self.wanted = [2, 5, 8]
        self.heads = Heads([64, 192, 384])
        self.register_buffer("mean", torch.zeros(1, 3, 1, 1))

    def features(self, x):
        x = x - self.mean
        found = []
        for number, part in enumerate(self.parts._modules.values(), 1):
            x = part(x)
            if number in self.wanted:
                found.append(x / torch.sqrt(torch.sum(x**2, dim=1, keepdim=True)))
            if len(found) == len(self.wanted):
                break
        return found

    def forward(self, x, y):
        first, second = self.features(x), self.features(y)
        {pairs}
"""
PAIRS = {
    "comprehension": "return [h((a - b) ** 2).mean((2, 3)) for a, b, h in zip(first, second, self.heads)]",
    "loop": "out = 0\n        for a, b, h in zip(first, second, self.heads):\n"
    "            out = out + h((a - b).abs()).mean()\n        return out",
    "differences": "d = [(a - b) ** 2 for a, b in zip(first, second)]\n"
    "        return [h(part).mean((2, 3), True) for part, h in zip(d, self.heads)]",
}


@pytest.mark.parametrize("pairs", PAIRS)
def test_each_may_have_a_shape_of_its_own(pairs: str) -> None:
    program = PERCEPTUAL.format(pairs=PAIRS[pairs])
    assert [(op.kind, op.faults) for program in lower(program).programs for op in program.ops if op.faults] == []
