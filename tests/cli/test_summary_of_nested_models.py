"""``dllint summary`` of models in models: of Keras in Keras's names, slices of stacks, and layers in a row that are alike."""

from __future__ import annotations

import json
from itertools import product

import pytest

NESTED = """\
import keras
from keras import layers


def {block}(n, width):
    given = keras.Input((n,))
    hidden = layers.Dense(width)(given)
    return keras.Model(given, {last})


{inner} = {block}(8, 4)
start = keras.Input((8,))
x = {apply}
x = layers.Dense(3)(x)
model = keras.Model(start, x)
"""
LAST = (
    "layers.Dense(n)(hidden)",
    "layers.Dense(n)(layers.Dropout(0.5)(hidden))",
    "layers.Add()([given, layers.Dense(n)(hidden)])",
)
APPLY = ("{inner}(start)", "{inner}({inner}(start))", "layers.ReLU()({inner}(layers.Dense(8)(start)))")


def written(tmp_path, text):
    path = tmp_path / "net.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def models_of(dllint, path):
    shown = dllint("summary", path, "--output-format", "json")
    assert shown.status == 0, shown.err
    return [model["tree"] for model in json.loads(shown.out)]


def named_in(model):
    """Names of the layers of a model, with those of the layers in them."""
    return [(child["name"], child["parameters"], named_in(child)) for child in model["children"]]


@pytest.mark.oracle
@pytest.mark.parametrize(("last", "apply", "names"), list(product(LAST, APPLY, (("block", "encoder"), ("build", "part")))))
def test_a_model_that_another_one_applies_is_in_it_as_keras_names_it(last, apply, names, tmp_path, dllint) -> None:
    block, inner = names
    text = NESTED.format(block=block, inner=inner, last=last, apply=apply.format(inner=inner))
    (found,) = models_of(dllint, written(tmp_path, text))
    import keras

    keras.utils.clear_session()
    made: dict = {}
    exec(text, made)

    def expected(model):
        layers = [layer for layer in model.layers if type(layer).__name__ != "InputLayer"]
        return [(layer.name, layer.count_params(), expected(layer) if hasattr(layer, "layers") else []) for layer in layers]

    assert sorted(named_in(found)) == sorted(expected(made["model"]))


SLICED = """\
import torch
from torch import nn


class {net}(nn.Module):
    def __init__(self):
        super().__init__()
        self.{held} = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 16, 3), nn.ReLU())

    def forward(self, x):
        {apply}
        return x


model = {net}()
y = model(torch.zeros(1, 3, 8, 8))
"""
SLICES = (
    "x = self.{held}[2:](self.{held}[:2](x))", "x = self.{held}[:-1](x)\n        x = self.{held}[-1](x)",
    "stem = self.{held}[:2]\n        x = stem(x)\n        x = self.{held}[2:](x)",
)  # fmt: skip


@pytest.mark.parametrize("apply", SLICES)
@pytest.mark.parametrize(("net", "held"), [("Net", "features"), ("Backbone", "stages")])
def test_a_slice_of_a_stack_is_no_model(apply, net, held, tmp_path, dllint) -> None:
    text = SLICED.format(net=net, held=held, apply=apply.format(held=held))
    (found,) = models_of(dllint, written(tmp_path, text))
    assert found["kind"] == net
    assert found["parameters"] == 224 + 1168


ROW = """\
import torch
from torch import nn


class {block}(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        return self.fc(x)


model = nn.Sequential({members})
y = model(torch.zeros(2, 4))
"""


@pytest.mark.parametrize("block", ["Block", "Part"])
@pytest.mark.parametrize(("members", "shown"), [
    ("*[{b}(4) for _ in range(12)]", ["0 … 11: {b} (12 alike, each)"]),
    ("{b}(4), {b}(4)", ["0: {b}", "1: {b}"]),
    ("nn.Linear(4, 4), *[{b}(4) for _ in range(3)], nn.Linear(4, 4)", ["0: Linear", "1 … 3: {b} (3 alike, each)", "4: Linear"]),
    ("{b}(4), {b}(4), nn.Linear(4, 8), {b}(8), {b}(8)", ["0: {b}", "1: {b}", "2: Linear", "3: {b}", "4: {b}"]),
])  # fmt: skip
def test_layers_in_a_row_that_are_alike_are_one_row(block, members, shown, tmp_path, dllint) -> None:
    path = written(tmp_path, ROW.format(block=block, members=members.format(b=block)))
    table = dllint("summary", path).out
    rows = [
        line.strip().partition("  ")[0] for line in table.splitlines() if line.startswith("  ") and not line.startswith("    ")
    ]
    assert [row for row in rows if row[0].isdigit()] == [row.format(b=block) for row in shown]
    unfolded = dllint("summary", path, "--unfold").out
    assert "alike" not in unfolded
