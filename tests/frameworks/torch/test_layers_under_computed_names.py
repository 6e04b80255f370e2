"""Layers of a ``Sequential`` whose names are computed from what is not known (``f"outputs_{num_classes}"``)."""

from __future__ import annotations

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings

torch = pytest.importorskip("torch")

PROGRAM = """
from collections import OrderedDict
import torch
from torch import nn


def layer({a}, b):
    return nn.{layer}({a}, b{window})


class Net(nn.Module):
    def __init__(self, {n}):
        super().__init__()
        {made}

    def forward(self, x):
        return self.net(x)
"""
#: Ways to make ``self.net`` of 4 to 8 to ``n`` features; each works.
WORKING = [
    "self.net = nn.Sequential(OrderedDict([(f'out_{{{n}}}', layer(4, {n}))]))",
    "self.net = nn.Sequential(OrderedDict([('first', layer(4, 8)), (f'out_{{{n}}}', layer(8, {n}))]))",
    "self.net = nn.Sequential(OrderedDict([(f'first_{{{n}}}', layer(4, 8)), ('out', layer(8, {n}))]))",
    "self.net = nn.Sequential(OrderedDict([(f'first_{{{n}}}', layer(4, 8)), (f'out_{{{n}}}', layer(8, {n}))]))",
    "self.net = nn.Sequential(OrderedDict({{'first': layer(4, 8), f'out_{{{n}}}': layer(8, {n})}}))",
    "parts = OrderedDict()\n        parts[f'first_{{{n}}}'] = layer(4, 8)\n        parts['out_' + str({n})] = layer(8, {n})\n"
    "        self.net = nn.Sequential(parts)",
    "parts = OrderedDict(first=layer(4, 8))\n        for i in range({n}):\n            parts[f'more_{{i}}'] = layer(8, 8)\n"
    "        parts['out'] = layer(8, 2)\n        self.net = nn.Sequential(parts)",
    "self.net = nn.Sequential()\n        self.net.add_module('first', layer(4, 8))\n"
    "        self.net.add_module(f'out_{{{n}}}', layer(8, {n}))",
    "self.net = nn.Sequential()\n        self.net.add_module('first_%d' % {n}, layer(4, 8))\n"
    "        self.net.add_module('out', layer(8, {n}))",
    "self.net = nn.Sequential(OrderedDict([(f'more_{{i}}', layer(4, 4)) for i in range({n})]))",
]
#: The same with a layer that does not fit the one before, where their order is known.
BROKEN = [
    "self.net = nn.Sequential()\n        self.net.add_module('first', layer(4, 8))\n"
    "        self.net.add_module(f'out_{{{n}}}', layer(7, {n}))",
    "self.net = nn.Sequential(layer(4, 8), nn.Sequential(OrderedDict([(f'out_{{{n}}}', layer(7, {n}))])))",
]
LAYERS = [("Linear", "", (2, 4)), ("Conv2d", ", 1", (1, 4, 5, 5)), ("Conv1d", ", 3, padding=1", (1, 4, 9))]
NAMES = [("a", "num_classes"), ("width", "n")]


def program(made: str, layer: str, window: str, a: str, n: str) -> str:
    return PROGRAM.format(made=made.format(n=n), layer=layer, window=window, a=a, n=n)


def errors(text: str) -> list[str]:
    return [finding.code for finding in findings(text) if finding.severity in (Severity.ERROR, Severity.WARNING)]


@pytest.mark.oracle
@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("made", WORKING)
@pytest.mark.parametrize(("layer", "window", "shape"), LAYERS)
@pytest.mark.parametrize(("a", "n"), NAMES)
def test_what_works_has_no_fault(made, layer, window, shape, a, n):
    text = program(made, layer, window, a, n)
    names: dict[str, object] = {}
    exec(compile(text, "program.py", "exec"), names)
    names["Net"](3)(torch.zeros(shape))
    assert errors(text) == []


@pytest.mark.parametrize("made", BROKEN)
@pytest.mark.parametrize(("layer", "window", "shape"), LAYERS)
@pytest.mark.parametrize(("a", "n"), NAMES)
def test_what_does_not_fit_is_found(made, layer, window, shape, a, n):
    assert errors(program(made, layer, window, a, n)) == ["DLT101"]
