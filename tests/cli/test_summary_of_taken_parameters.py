"""``dllint summary`` of classes that take a parameter away from the layer that they inherit from, against what torch counts."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.oracle

NET = """\
import torch
from torch import nn


class {norm}(nn.{base}):
    def __init__(self, width, **settings):
        super().__init__({given}, **settings)
        self.{name} = None


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = {norm}(8)
        self.whole = nn.{base}({whole})


net = Net()
"""


@pytest.mark.parametrize(("base", "given", "whole"), [
    ("LayerNorm", "width", "8"), ("GroupNorm", "1, width", "1, 8"), ("BatchNorm2d", "width", "8"),
])  # fmt: skip
@pytest.mark.parametrize("norm", ["Plain", "NoBias"])
def test_a_parameter_that_a_class_takes_away_is_not_counted(base, given, whole, norm, dllint, tmp_path):
    text = NET.format(base=base, given=given, whole=whole, norm=norm, name="bias")
    names: dict = {}
    exec(text, names)
    path = tmp_path / "net.py"
    path.write_text(text, encoding="utf-8")
    shown = dllint("summary", str(path), "--output-format", "json", "--python", "none")
    found = next(model for model in json.loads(shown.out) if model["model"] == "Net")
    assert found["parameters"] == sum(one.numel() for one in names["net"].parameters())
