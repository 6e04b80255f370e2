"""``dllint summary``: the tables and JSON of models, against what their sources say."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
NET = """\
import torch
from torch import nn


class {block}(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.{inner} = nn.Sequential(nn.Conv2d(c, c, 3, padding=1), nn.BatchNorm2d(c), nn.ReLU())
        self.scale = nn.Parameter(torch.ones(c, 1, 1))

    def forward(self, x):
        return x + self.{inner}(x) * self.scale


class {net}(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, padding=1)
        self.blocks = {container}
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        x = self.stem(x)
        {apply}
        return self.head(x.mean((2, 3)))
"""
LIST = ("nn.ModuleList([{block}(16) for _ in range(3)])", "for block in self.blocks: x = block(x)")
STACK = ("nn.Sequential(*[{block}(16) for _ in range(3)])", "x = self.blocks(x)")
#: 3 * 16 * 9 + 16, three blocks of 16 * 16 * 9 + 16 + 32 + 16, 170.
TOTAL = 448 + 3 * 2368 + 170
#: On an image of 32 x 32.
COST = 32 * 32 * (432 + 3 * 2304) + 160


def source(form, block="Block", inner="net", net="Net"):
    container, apply = form
    return NET.format(block=block, inner=inner, net=net, container=container.format(block=block), apply=apply)


def summary(dllint, *arguments):
    shown = dllint("summary", *arguments, "--output-format", "json", "--python", "none")
    assert shown.status == 0, shown.err
    models = json.loads(shown.out)
    jsonschema.validate(models, json.loads((ROOT / "docs" / "schema" / "summary.schema.json").read_text()))
    return models


def modules(module):
    yield module
    for child in module["children"]:
        yield from modules(child)


@pytest.mark.parametrize("form", [LIST, STACK])
@pytest.mark.parametrize(("block", "inner", "net"), [("Block", "net", "Net"), ("Residual", "body", "Classifier")])
def test_blocks_in_a_row_are_all_counted_and_called(dllint, project, form, block, inner, net):
    (project / "net.py").write_text(source(form, block, inner, net))
    (model,) = summary(dllint, f"net.py:{net}", "--input", "1,3,32,32")
    assert (model["model"], model["parameters"], model["trainable"]) == (net, TOTAL, TOTAL)
    assert (model["mult_adds"], model["mult_adds_complete"], model["parameters_complete"]) == (COST, True, True)
    found = {module["path"]: module for module in modules(model["tree"])}
    assert [found[f"blocks.{number}"]["parameters"] for number in range(3)] == [2368] * 3
    assert found[f"blocks.2.{inner}.0"]["calls"] == [{"inputs": ["f32[1, 16, 32, 32]"], "output": "f32[1, 16, 32, 32]"}]
    assert found["head"]["calls"][0]["output"] == "f32[1, 10]"


def test_without_an_input_sizes_are_symbols(dllint, project):
    (project / "net.py").write_text(source(STACK))
    (model,) = summary(dllint, "net.py")
    assert model["mult_adds"] == "7344*B*H*W + 160*B"
    assert model["tree"]["calls"] == [{"inputs": ["f32[B, 3, H, W]"], "output": "f32[B, 10]"}]
    (model,) = summary(dllint, "net.py:Block(8)")
    assert model["parameters"] == 608
    (model,) = summary(dllint, "net.py:Net(classes=5)")
    assert model["parameters"] == TOTAL - 5 * 17


@pytest.mark.parametrize(("width", "heads"), [("dim", "heads"), ("d_model", "n_head")])
def test_what_parameters_have_to_fulfil_is_told(dllint, project, width, heads):
    text = f"""from torch import nn


class Net(nn.Module):
    def __init__(self, {width}, {heads}):
        super().__init__()
        self.attention = nn.MultiheadAttention({width}, {heads})

    def forward(self, x):
        return self.attention(x, x, x)[0]
"""
    (project / "net.py").write_text(text)
    (model,) = summary(dllint, "net.py")
    assert model["preconditions"] == [f"{width} % {heads} == 0"]
    (model,) = summary(dllint, "net.py:Net(8, 2)")
    assert model["preconditions"] == []
    assert f"Runs only if:\n  {width} % {heads} == 0\n" in dllint("summary", "net.py", "--python", "none").out


def test_the_table_shows_layers_to_a_depth(dllint, project):
    (project / "net.py").write_text(source(STACK))
    shown = dllint("summary", "net.py", "--depth", "1", "--python", "none").out
    assert "stem: Conv2d" in shown
    assert "0: Block" not in shown
    assert f"Parameters: {TOTAL:,}" in shown
    assert "0 … 2: Block (3 alike, each)" in dllint("summary", "net.py", "--python", "none").out


def test_what_is_no_model_is_said(dllint, project):
    (project / "net.py").write_text(source(STACK))
    for arguments, message in (
        (("net.py:nothing",), "`nothing` is no model"),
        (("net.py:Block",), "needs more arguments"),
        (("net.py:3 +",), "is no expression"),
        (("net.py", "--input", "a"), "is no input"),
        (("none.py",), "cannot read none.py"),
    ):
        shown = dllint("summary", *arguments, "--python", "none")
        assert shown.status == 2
        assert message in shown.err


SHARED = """\
import torch
from torch import nn


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(100, 8)
        self.head = nn.Linear(8, 100, bias=False)
        self.again = self.body = nn.Linear(8, 8)
        self.register_buffer("steps", torch.zeros(50))
        self.still = nn.Parameter(torch.zeros(3), requires_grad=False)
        self.head.weight = self.table.weight

    def forward(self, x):
        return self.head(self.again(self.body(self.table(x))))
"""


def test_shared_weights_count_once(dllint, project):
    (project / "tied.py").write_text(SHARED)
    (model,) = summary(dllint, "tied.py:Tied", "--input", "2,7:int64")
    assert (model["parameters"], model["trainable"]) == (800 + 72 + 3, 800 + 72)
    assert model["tree"]["calls"][0]["output"] == "f32[2, 7, 100]"
    assert model["mult_adds"] == 2 * 7 * (2 * 64 + 800)


def test_weights_that_are_frozen_later_are_told(dllint, project):
    (project / "net.py").write_text(
        f"{source(STACK)}\n\nnet = Net()\nnet.stem.requires_grad_(False)\nnet(torch.randn(1, 3, 8, 8))\n"
    )
    (model,) = summary(dllint, "net.py")
    assert any("frozen or released" in gap for gap in model["tree"]["not_followed"])


UNKNOWN = """\
import torch
from torch import nn
from elsewhere import Part, deep


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.known = nn.Linear(4, 4)
        self.part = Part(4)
        self.norm = nn.LayerNorm(4) if deep else nn.Identity()

    def forward(self, x):
        return self.part(self.norm(self.known(x)))
"""


def test_what_is_not_followed_makes_lower_bounds(dllint, project):
    (project / "net.py").write_text(UNKNOWN)
    (model,) = summary(dllint, "net.py")
    assert (model["parameters"], model["parameters_complete"]) == (20, False)
    assert any("`part` is not followed" in gap for gap in model["tree"]["not_followed"])


KERAS = """\
import keras
from keras import layers

inputs = keras.Input((32, 32, 3))
x = layers.Conv2D(8, 3, padding="same", activation="relu", name="first")(inputs)
x = layers.BatchNormalization()(x)
x = layers.GlobalAveragePooling2D()(x)
model = keras.Model(inputs, layers.Dense(10, trainable=False)(x))
"""


def test_functional_models_of_keras_count_statistics_and_frozen_layers(dllint, project):
    (project / "model.py").write_text(KERAS)
    (model,) = summary(dllint, "model.py:model")
    assert (model["parameters"], model["trainable"]) == (224 + 32 + 90, 224 + 16)
    (project / "frozen.py").write_text(f"{KERAS}model.trainable = False\n")
    (frozen,) = summary(dllint, "frozen.py:model")
    assert (frozen["parameters"], frozen["trainable"]) == (224 + 32 + 90, 0)
    assert [child["name"] for child in model["tree"]["children"]][:2] == ["first", "batch_normalization"]
    assert model["mult_adds"] == "221264*B"


STACKED = """\
import keras
from keras import layers

inputs = keras.Input((32, 32, 3))
stem = keras.Sequential([layers.Conv2D(8, 3), layers.ReLU()])
x = {applied}
other = keras.Sequential([keras.Input((4,)), layers.Dense(2)])
model = keras.Model(inputs, layers.Dense(10)(layers.GlobalAveragePooling2D()(x)))
"""


@pytest.mark.parametrize("applied", ["stem(inputs)", "[stem][0](inputs)", "layers.ReLU()(stem(inputs))"])
def test_a_stack_that_a_functional_model_applies_is_no_model_of_its_own(dllint, project, applied):
    (project / "model.py").write_text(STACKED.format(applied=applied))
    assert [model["parameters"] for model in summary(dllint, "model.py")] == [10, 224 + 90]
