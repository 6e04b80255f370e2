"""``dllint summary``: the names that Keras makes for unnamed layers, compared with those of Keras, by their output shapes."""

from __future__ import annotations

import json

import pytest

HELPER = """
def unit(x, width, kernel, name=None):
    x = layers.Conv2D(width, kernel, padding="same", name=name)(x)
    return layers.Activation("relu", name=None if name is None else name + "_ac")(x)
"""
#: Branches that are constructed in another order than a walk from the output meets them.
BODIES = {
    "helpers": """
a = unit(i, 2, 1)
b = unit(unit(i, 3, 1), 4, 3)
c = unit(layers.AveragePooling2D(3, strides=1, padding="same")(i), 5, 1)
o = layers.Concatenate(name="all")([{order}])
""",
    "loop": """
branches = []
for width in (2, 3, 5):
    branches.append(unit(unit(i, width, 1, name=f"n{{width}}"), width + 4, 1))
a, b, c = branches
o = layers.Concatenate()([{order}])
""",
    "constructed first": """
last, first = layers.Conv2D(7, 1), layers.Conv2D(3, 1)
a, b, c = first(i), last(i), unit(i, 4, 1)
o = layers.Concatenate()([{order}])
""",
    "layers in a layer": """
class Block(layers.Layer):
    def __init__(self):
        super().__init__()
        self.inner = layers.Conv2D(3, 1)

    def call(self, x):
        return self.inner(x)


a = layers.Conv2D(2, 1)(i)
b = Block()(i)
c = layers.Conv2D(4, 1)(i)
o = layers.Concatenate()([{order}])
""",
}
PROGRAM = """\
import keras
from keras import layers
{helper}
i = keras.Input((8, 8, 3))
{body}
model = keras.Model(i, o)
"""
TRUTH = "\nimport json\nprint(json.dumps({l.name: l.output.shape[-1] for l in model.layers[1:]}))\n"
ORDERS = ("c, a, b", "b, c, a")
PROGRAMS = [PROGRAM.format(helper=HELPER, body=body.format(order=order)) for body in BODIES.values() for order in ORDERS]


def widths(dllint, path, text):
    path.write_text(text, encoding="utf-8")
    shown = dllint("summary", str(path), "--output-format", "json", "--python", "none")
    assert shown.status == 0, shown.err
    (model,) = json.loads(shown.out)
    return {one["path"]: one["calls"][0]["output"].rpartition(" ")[2].rstrip("]") for one in model["tree"]["children"]}


@pytest.mark.oracle
@pytest.mark.parametrize("framework", ["keras-torch"])
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_numbers_are_those_of_construction(number, framework, run_in_fork, dllint, tmp_path):
    found = widths(dllint, tmp_path / "net.py", PROGRAMS[number])
    (tmp_path / "asked.py").write_text(PROGRAMS[number] + TRUTH, encoding="utf-8")
    status, out, err = run_in_fork(["asked.py"], tmp_path, plain=True)
    assert status == 0, err
    truth = {name: str(width) for name, width in json.loads(out.splitlines()[-1]).items() if name != "block"}
    assert truth.items() <= found.items()  # in the place of the block, its layer may be told


ATTENTION = """
a = layers.MultiHeadAttention(2, 4)(i, i)
a = layers.Dropout(0.1)(a)
o = layers.Dropout(0.1)(a)
"""


def test_no_number_where_it_is_not_known(dllint, tmp_path):
    found = widths(dllint, tmp_path / "net.py", PROGRAM.format(helper="", body=ATTENTION))
    assert list(found) == ["multi_head_attention", "dropout_?[0]", "dropout_?[1]"]
    function = "a = layers.Conv2D(3, 1)(i)\no = layers.Add()([a + i, a])\n"
    found = widths(dllint, tmp_path / "net.py", PROGRAM.format(helper="", body=function))
    assert list(found) == ["conv2d", "add_?[0]"]


#: What is built before a model, and how many layers `Dense` that are not named it builds; None: that is not known.
BEFORE = {
    "other = keras.Sequential([keras.Input((8,)), layers.Dense(2), layers.Dense(3)])": 2,
    "def made(width):\n    x = layers.Dense(width)(i)\n    return keras.Model(i, layers.Dense(1)(x))\n\n\nmade(3)\nmade(4)": 4,
    "for width in (3, 4, 5):\n    layers.Dense(width)": 3,
    "parts = [layers.Dense(width) for width in (3, 4)]": 2,
    "layers.Dense(3, name='own')\nlayers.Conv2D(3, 1)": 0,
    "layers.Dense(3)\nkeras.backend.clear_session()": 0,
    "if len(sys.argv) > 2:\n    layers.Dense(3)": None,
    "for _ in range(len(sys.argv)):\n    layers.Dense(3)": None,
    "parts = [layers.Dense(3) for _ in sys.argv]": None,
    "for _ in sys.argv:\n    layers.Dense(3)\nkeras.backend.clear_session()": 0,
}
SECOND = """\
import sys

import keras
from keras import layers

i = keras.Input((8,))
{before}
x = layers.Dense(6)(i)
model = keras.Model(i, layers.Dense(7)(x))
"""


def last_model(dllint, path, text):
    path.write_text(text, encoding="utf-8")
    shown = dllint("summary", f"{path}:model", "--output-format", "json", "--python", "none")
    assert shown.status == 0, shown.err
    return [one["path"] for one in json.loads(shown.out)[-1]["tree"]["children"]]


@pytest.mark.parametrize(("before", "built"), BEFORE.items())
def test_what_is_built_before_a_model_counts(dllint, tmp_path, before, built):
    found = last_model(dllint, tmp_path / "net.py", SECOND.format(before=before))
    numbers = [built, built + 1] if built is not None else []
    names = [f"dense_{number}" if number else "dense" for number in numbers] or ["dense_?[0]", "dense_?[1]"]
    assert found == names


@pytest.mark.oracle
def test_keras_counts_so_too(run_in_fork, tmp_path):
    told = "\nprint(*(layer.name for layer in model.layers[1:]), sep=chr(10))\n"
    programs = [SECOND.format(before=before) + told for before, built in BEFORE.items() if built is not None]
    anew = "\nimport keras\nkeras.backend.clear_session()\n"
    (tmp_path / "asked.py").write_text(anew.join(programs), encoding="utf-8")
    status, out, err = run_in_fork(["asked.py"], tmp_path, plain=True)
    assert status == 0, err
    known = [built for built in BEFORE.values() if built is not None]
    numbers = [number for built in known for number in (built, built + 1)]
    assert out.split() == [f"dense_{number}" if number else "dense" for number in numbers]
