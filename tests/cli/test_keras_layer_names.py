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
