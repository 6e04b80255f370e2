"""``dllint summary``: merges of functional models are layers; what a followed call leaves out costs nothing."""

from __future__ import annotations

import json
from itertools import product

import pytest

MERGED = """\
import keras
from keras import layers

inputs = keras.Input((8,))
a = layers.Dense(4{a})(inputs)
b = layers.Dense(4)(inputs)
m = layers.{merge}([a, b]{name})
outputs = layers.Dense(2)(m)
model = keras.Model(inputs, outputs)
"""
WIDTHS = {"add": 4, "multiply": 4, "average": 4, "maximum": 4, "subtract": 4, "concatenate": 8}


def told(dllint, path, text):
    path.write_text(text, encoding="utf-8")
    shown = dllint("summary", str(path), "--output-format", "json", "--python", "none")
    assert shown.status == 0, shown.err
    return json.loads(shown.out)


@pytest.mark.parametrize(("merge", "name"), list(product(WIDTHS, ("", ', name="joined"'))))
def test_a_merge_is_a_layer_under_its_name(merge, name, dllint, tmp_path):
    (model,) = told(dllint, tmp_path / "net.py", MERGED.format(merge=merge, name=name, a=', activation="relu"'))
    found = {one["path"]: one for one in model["tree"]["children"]}
    layer = found["joined" if name else merge]
    assert layer["kind"].lower() == merge
    assert layer["parameters"] == 0
    assert layer["calls"][0]["output"] == f"f32[B, {WIDTHS[merge]}]"
    assert model["parameters"] == 2 * 36 + 2 * (WIDTHS[merge] + 1)


OWN = """\
import keras
from keras import layers, ops


class Scale(layers.Layer):
    def __init__(self, dim, **rest):
        super().__init__(**rest)
        self.dim = dim
        self.inner = layers.Dense(dim)

    def build(self, input_shape):
        self.gamma = self.add_weight(shape=(self.dim,), initializer="ones")

    def call(self, x):
        return {result}


inputs = keras.Input((5, 8))
x = layers.Dense(6, name="before")(inputs)
scale = Scale(6, name="scale")
x = scale(x)
{again}
model = keras.Model(inputs, layers.{behind}(x))
"""
RESULTS = {"x * self.gamma": 0, "ops.multiply(x, self.gamma)": 0, "self.inner(x) * self.gamma": 42, "x[:, :2] * self.gamma": 0}
BEHIND = ("Dense(3)", "Flatten()")


@pytest.mark.parametrize(("result", "behind"), list(product(RESULTS, BEHIND)))
@pytest.mark.parametrize("again", ["", "x = scale(x)"])
def test_layers_of_the_users_own_have_their_calls_in_a_graph(result, behind, again, dllint, tmp_path):
    (model,) = told(dllint, tmp_path / "net.py", OWN.format(result=result, behind=behind, again=again))
    scale = next(one for one in model["tree"]["children"] if one["path"] == "scale")
    length = 2 if ":2" in result else 5
    calls = [(call["inputs"], call["output"]) for call in scale["calls"]]
    assert calls[0] == (["f32[B, 5, 6]"], f"f32[B, {length}, 6]")
    assert len(calls) == (2 if again else 1)
    assert model["parameters"] == 54 + 6 + RESULTS[result] + (21 if behind == "Dense(3)" else 0)


HEADS = """\
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(16, width)

    def forward(self, x):
        return self.fc(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(16, 16)
        self.{aside} = Head({width})
        self.last = Head(5)

    def forward(self, x):
        x = self.body(x)
        {step}
        return self.last(x)


net = Net()
net.eval()
out = net({given})
"""
STEPS = {
    "pass": True, "if self.training:\n            extra = self.{aside}(x)": True,
    "x = nn.functional.linear(x, self.body.weight)": True, "x = x + unknown(self.{aside}, x)": False,
    "if len(x) > given:\n            x = x + self.{aside}(x)": None,
}  # fmt: skip


@pytest.mark.parametrize(("step", "aside"), list(product(STEPS, ("aux", "second"))))
@pytest.mark.parametrize("width", [3, 16])
def test_what_is_not_called_costs_nothing_where_everything_is_followed(step, aside, width, dllint, tmp_path):
    text = HEADS.format(aside=aside, width=width, step=step.format(aside=aside), given="torch.ones(2, 16)")
    if not STEPS[step]:
        text = "from elsewhere import given, unknown\n" + text
    model = next(one for one in told(dllint, tmp_path / "net.py", text) if one["model"] == "Net")
    used = 2 * (256 + 80) + (512 if "linear" in step else 0)
    if STEPS[step]:
        assert (model["mult_adds"], model["mult_adds_complete"]) == (used, True)
    else:
        assert not model["mult_adds_complete"]


def test_of_equal_blocks_each_costs(dllint, tmp_path):
    text = HEADS.format(
        aside="aux",
        width=16,
        step="for block in (self.body, self.body2, self.body3):\n            x = block(x)",
        given="torch.ones(2, 16)",
    )
    text = text.replace(
        "        self.last =",
        "        self.body2 = nn.Linear(16, 16)\n        self.body3 = nn.Linear(16, 16)\n        self.last =",
    )
    model = next(one for one in told(dllint, tmp_path / "net.py", text) if one["model"] == "Net")
    real = 2 * (4 * 256 + 80)
    assert model["mult_adds"] == real if model["mult_adds_complete"] else model["mult_adds"] <= real
