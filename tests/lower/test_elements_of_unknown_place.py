"""Two elements that are read from unknown places of a list need not have equal sizes."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.tracing import lower

TORCH = """
import sys
import torch
from torch import nn
import torch.nn.functional as F


class Pyramid(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.depth = depth
        self.stage = nn.Conv2d(8, 8, 3, stride=2, padding=1)
        self.side = nn.Conv2d(8, 16, 1)

    def forward(self, x):
        {kept} = []
        for number in range(self.depth):
            if number % 2:
                x = F.max_pool2d(x, 2)
            x = self.stage(x)
            if number > 1:
                {kept}.append(x)
        {use}


Pyramid(int(sys.argv[1]))(torch.zeros(2, 8, 64, 64))
"""
USES = (
    "out = None\n        for i in range(self.depth - 1, -1, -1):\n            side = self.side({kept}[i])\n"
    "            out = side if out is None else side + F.interpolate(out, scale_factor=2)\n        return out",
    "out = self.side({kept}.pop())\n        return F.interpolate(out, scale_factor=2) + self.side({kept}.pop())",
    "out = {kept}[self.depth - 1]\n        return torch.cat([F.interpolate(out, scale_factor=2), {kept}[self.depth - 2]], 1)",
    "out = {kept}[-1].flatten(2)\n        return torch.cat([out, {kept}[-2].flatten(2)], 1).sum() + {kept}[-1][::2].sum()",
)


@pytest.mark.parametrize(("use", "kept"), list(product(USES, ("skips", "states"))))
def test_sizes_that_differ_from_place_to_place_do_not_clash(use, kept):
    program = TORCH.format(use=use.format(kept=kept), kept=kept)
    assert [(op.kind, op.faults) for program in lower(program).programs for op in program.ops if op.faults] == []


@pytest.mark.parametrize("use", ["self.side({kept}[self.depth - 1][:, :5])", "self.side(torch.cat([{kept}[-1]] * 2, 1))"])
def test_sizes_that_all_elements_have_are_known(use):
    program = TORCH.format(use=f"return {use.format(kept='kept')}", kept="kept")
    assert {op.kind for program in lower(program).programs for op in program.ops if op.faults} == {"conv"}
