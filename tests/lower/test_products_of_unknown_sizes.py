"""The product of sizes that are not known is another number than what they are: ``x.view(len(x), *size)`` has their axes."""

from __future__ import annotations

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings

PROGRAM = """
import functools
import math
import operator

import numpy as np
import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, latent, {shape}):
        super().__init__()
        self.{shape} = {shape}
        width = {width}
        self.fc = nn.Linear(latent, width)

    def forward(self, z):
        img = torch.tanh(self.fc(z))
        return {viewed}


def check(latent, {shape}):
    generator = Generator(latent, {shape})
    out = generator(torch.randn(10, latent))
    return {layer}(out)
"""
WIDTHS = [
    "int(np.prod({s}))", "np.prod({s})", "int(np.prod(np.array({s})))", "math.prod({s})", "int(np.prod({s}[1:]) * {s}[0])",
    "functools.reduce(operator.mul, {s})", "int(torch.prod(torch.tensor({s})))", "int(np.prod(tuple({s})))",
]  # fmt: skip
VIEWS = [
    "img.view(img.size(0), *self.{s})", "img.view(-1, *self.{s})", "img.reshape(len(z), *self.{s})",
    "img.view((img.shape[0], *self.{s}))", "img.view(img.size(0), self.{s}[0], self.{s}[1], self.{s}[2])",
]  # fmt: skip


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("viewed", VIEWS)
@pytest.mark.parametrize("shape", ["img_shape", "size"])
@pytest.mark.parametrize("layer", ["nn.InstanceNorm2d(3)", "nn.Conv2d(3, 1, 3)"])
def test_generators_of_images_have_no_fault(width, viewed, shape, layer):
    text = PROGRAM.format(shape=shape, width=width.format(s=shape), viewed=viewed.format(s=shape), layer=layer)
    assert [one.message for one in findings(text) if one.severity in (Severity.ERROR, Severity.WARNING)] == []
