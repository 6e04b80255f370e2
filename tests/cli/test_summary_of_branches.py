"""``dllint summary``: a module that all arms of an undecided branch call is called once in a run."""

from __future__ import annotations

import json
from itertools import product

import pytest

NET = """\
import os

import torch
from torch import nn

FAST = {flag}
FUSED = "FUSED" in os.environ


class {net}(nn.Module):
    def __init__(self):
        super().__init__()
        self.fast = FAST
        self.{part} = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        self.narrow = nn.Linear(8, 4)

    def bias(self, given):
        return self.{part}(given)

    def forward(self, x):
{body}
        return x


net = {net}()
net.eval()
out = net(torch.randn(2, 8))
"""
FLAGS = ['"FAST" in os.environ', 'os.environ.get("FAST") == "1"', 'len(os.environ.get("FAST", "")) > 2']
NAMES = [("Net", "mlp"), ("Attention", "position")]
#: What ``forward`` does, with the part called in each arm, and how often a run calls the part.
ALIKE = {
    "if self.fast:\n    x = x + self.{part}(x)\nelse:\n    x = x * self.{part}(x)": 1,
    "if self.fast:\n    y = self.bias(x)\nelse:\n    y = self.{part}(x).contiguous()\nx = x + y": 1,
    "y = self.{part}(x) if self.fast else -self.{part}(x)\nx = x + y": 1,
    "x = self.{part}(x)\nif not self.fast:\n    x = self.{part}(self.{part}(x))\nelse:\n    x = self.bias(self.bias(x * 2))": 3,
    "if self.fast:\n    x = self.{part}(x)\nelif FUSED:\n    x = self.{part}(x + 1)\nelse:\n    x = self.bias(x)": 1,
}
#: Arms that do not call the part alike: all calls are told, as before.
UNLIKE = {
    "if self.fast:\n    x = self.{part}(x)\nelse:\n    x = self.{part}(self.{part}(x))": 3,
    "if self.fast:\n    x = self.{part}(x)": 1,
    "if self.fast:\n    y = self.{part}(x)\nelse:\n    y = self.{part}(x[:1])\nx = x + y": 2,
    "x = self.{part}(x)\nx = self.{part}(x)": 2,
    "if self.fast:\n    x = self.{part}(x)\nif FUSED:\n    x = self.{part}(x)": 2,
}


def calls(dllint, path, body, flag, net, part):
    """By path, the calls of the modules of a model."""
    lines = body.format(part=part).splitlines()
    text = NET.format(flag=flag, net=net, part=part, body="\n".join("        " + line for line in lines))
    path.write_text(text, encoding="utf-8")
    shown = dllint("summary", str(path), "--output-format", "json", "--python", "none")
    assert shown.status == 0, shown.err
    (model,) = json.loads(shown.out)
    return {module["path"]: module["calls"] for module in _walk(model["tree"])}


def _walk(module):
    yield module
    for child in module["children"]:
        yield from _walk(child)


@pytest.mark.parametrize(("body", "flag", "names"), list(product(ALIKE, FLAGS, NAMES)))
def test_what_all_arms_call_is_called_once(body, flag, names, dllint, tmp_path):
    told = calls(dllint, tmp_path / "net.py", body, flag, *names)
    _, part = names
    for path in (part, f"{part}.0", f"{part}.1"):
        assert [call["output"] for call in told[path]] == ["f32[2, 8]"] * ALIKE[body], path


@pytest.mark.parametrize(("body", "names"), list(product(UNLIKE, NAMES)))
def test_calls_of_arms_that_differ_are_all_told(body, names, dllint, tmp_path):
    told = calls(dllint, tmp_path / "net.py", body, FLAGS[0], *names)
    assert len(told[names[1]]) == UNLIKE[body]
