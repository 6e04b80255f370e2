"""Inputs that a module's method does not read while another goes through one part twice."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import found

TORCH = """import torch
from torch import nn


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.drop = nn.Sequential(nn.Linear(16, 8), nn.ReLU()), nn.Dropout(0.1)
        self.head = nn.Linear(8, 1)

    def once(self, x):
        return self.encode(x.flatten(1))

    def {name}(self, {inputs}):
        {body}


net = Pair()
"""
KERAS = """import keras


class Pair(keras.Model):
    def __init__(self):
        super().__init__()
        self.encode, self.head = keras.layers.Dense(8), keras.layers.Dense(1)

    def once(self, x):
        return self.encode(x)

    def call(self, {inputs}):
        {body}


net = Pair()
"""
NAMES = (("first", "second"), ("anchor", "positive"), ("x1", "x2"), ("q", "doc"))
COPIED = (
    "return self.{part}({0}), self.{part}({0})",
    "a = self.{part}({0})\n        b = self.{part}({0})\n        return self.head(abs(a - b))",
    "return self.head(self.{part}({0}) * self.{part}({0}))",
    "with torch.no_grad():\n            a = self.{part}({0})\n        return a - self.{part}({0})",
)
SOUND = (
    "return self.{part}({0}), self.{part}({1})",
    "a, b = (self.{part}(x) for x in ({0}, {1}))\n        return a - b",
    "return self.{part}({0})",
    "{0} = self.once({0})\n        {0} = self.once({0})\n        return {0}",
    "return self.compare(**{{k: v for k, v in locals().items()}}), self.{part}({0}), self.{part}({0})",
)


@pytest.mark.parametrize("part", ["once", "encode"])
@pytest.mark.parametrize(("names", "body"), [*product(NAMES, COPIED)])
def test_a_copied_argument(names: tuple[str, str], body: str, part: str, tmp_path: Path) -> None:
    text = TORCH.format(name="forward", inputs=", ".join(names), body=body.format(*names, part=part))
    assert found({"main.py": text}, tmp_path, ["DLS114"]) == ["DLS114"]
    if "torch" not in body:
        text = KERAS.format(inputs=", ".join(names), body=body.format(*names, part=part))
        assert found({"main.py": text}, tmp_path, ["DLS114"]) == ["DLS114"]


@pytest.mark.parametrize("part", ["once", "encode"])
@pytest.mark.parametrize(("names", "body"), [*product(NAMES, SOUND)])
def test_both_are_read(names: tuple[str, str], body: str, part: str, tmp_path: Path) -> None:
    text = TORCH.format(name="forward", inputs=", ".join(names), body=body.format(*names, part=part))
    assert not found({"main.py": text}, tmp_path, ["DLS114"])


@pytest.mark.parametrize("inputs", ["x, labels", "x, attention_mask", "x, second=None", "x, _", "x, *others", "x, **options"])
def test_what_an_interface_asks_for(inputs: str, tmp_path: Path) -> None:
    text = TORCH.format(name="forward", inputs=inputs, body="return self.drop(x), self.drop(x)")
    assert not found({"main.py": text}, tmp_path, ["DLS114"])
