"""A container that a method builds of modules is as new as they are: DLS104 asks where its weights come from."""

from __future__ import annotations

import itertools

import pytest

from tests.rules.harness import findings

SOURCE = """
import torch
from torch import nn
from collections import OrderedDict


def conv(inputs, outputs):
    return nn.Conv2d(inputs, outputs, 3, padding=1)


class Wrapper(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)


shared = conv(8, 8)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = conv(width, width)
        self.rest = nn.ModuleList([conv(width, width), nn.BatchNorm2d(width)])
        self.body = nn.Sequential(conv(width, width), nn.ReLU(), nn.BatchNorm2d(width))
        self.named = nn.ModuleDict({{"one": conv(width, width)}})

    def own(self):
        return self.first

    def forward(self, x):
        part = {part}
        return {container}(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(8)

    def forward(self, x):
        return self.block(x)
"""
LIBRARY_CONTAINERS = (
    "nn.Sequential(part)",
    "nn.Sequential(part, nn.ReLU())",
    "nn.Sequential(*[part, nn.ReLU()])",
    'nn.Sequential(OrderedDict([("first", part), ("last", nn.ReLU())]))',
    "nn.Sequential(nn.Sequential(part), nn.ReLU())",
)
CONTAINERS = (
    *LIBRARY_CONTAINERS,
    "Wrapper(part)",
    "Wrapper(nn.Sequential(nn.ReLU(), part))",
)
OWN = ("self.first", "self.own()", "self.rest[0]", "self.body[0]", "self.body[:2]", "self.body", 'self.named["one"]', "shared")
NEW = ("nn.Conv2d(8, 8, 1)", "conv(8, 8)", "nn.Sequential(conv(8, 8), nn.ReLU())", "Wrapper(conv(8, 8))")


@pytest.mark.parametrize(("part", "container"), list(itertools.product(OWN, CONTAINERS)))
def test_modules_of_the_model_stay_its_own(part: str, container: str) -> None:
    assert not [found for found in findings(SOURCE.format(part=part, container=container)) if found.code == "DLS104"]


@pytest.mark.parametrize(("part", "container"), list(itertools.product(NEW, LIBRARY_CONTAINERS)))
def test_new_weights_are_told(part: str, container: str) -> None:
    assert [found for found in findings(SOURCE.format(part=part, container=container)) if found.code == "DLS104"]
