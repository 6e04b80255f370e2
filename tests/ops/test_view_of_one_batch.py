"""A view whose first axis is written as 1 is one of a batch with one element."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

PROGRAM = """
import torch
from torch import nn


class Caption(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)

    def forward(self, {x}):
        {x} = self.conv({x}).{moved}
        return {x}.view({shape})
"""
MOVED = ("permute(0, 2, 3, 1)", "permute(0, 2, 3, 1).detach()", "transpose(1, 3).transpose(1, 2)")


def faults(x: str, moved: str, shape: str) -> list[str]:
    program = PROGRAM.format(x=x, moved=moved, shape=shape.format(x=x))
    return [op.kind for program in lower(program).programs for op in program.ops if op.faults]


@pytest.mark.parametrize("moved", MOVED)
@pytest.mark.parametrize("x", ["image", "features"])
def test_one_image_can_be_viewed(x, moved):
    assert faults(x, moved, "1, -1, {x}.size(3)") == []


@pytest.mark.parametrize("moved", MOVED)
@pytest.mark.parametrize("shape", ["{x}.size(0), -1, 4", "-1", "-1, 4"])
def test_several_images_cannot(shape, moved):
    assert faults("image", moved, shape) == ["view"]
