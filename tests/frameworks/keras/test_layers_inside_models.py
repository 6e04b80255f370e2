"""``get_layer``: maps inside pretrained architectures against Keras, and layers by the names that Keras makes."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.frameworks.keras.application_layers import PATH, inside
from dllint.frameworks.keras.applications import ARCHITECTURES
from tests.lower.tracing import ops, values

INSIDE = {
    "VGG16": ("block1_conv2", "block3_pool", "block5_conv3"),
    "ResNet50": ("conv1_relu", "conv3_block4_out", "conv4_block1_1_conv"),
    "MobileNetV2": ("block_3_expand_relu", "block_13_expand_relu", "out_relu"),
    "DenseNet121": ("pool2_relu", "conv4_block24_concat"),
    "InceptionV3": ("mixed0", "mixed7"),
}
SIDES = ((97, 130),)
MODELS = {
    "stack": "m = keras.Sequential([L.Input((16, 16, 3)), L.Conv2D(4, 3), L.MaxPooling2D(2{}), L.Conv2D(8, 3)])\n",
    "graph": "i = L.Input((16, 16, 3))\nh = L.MaxPooling2D(2{})(L.Conv2D(4, 3)(i))\nm = keras.Model(i, L.Conv2D(8, 3)(h))\n",
    "helper": """
def grown(i):
    h = L.Conv2D(4, 3)(i)
    h = L.MaxPooling2D(2{})(h)
    return keras.Model(i, L.Conv2D(8, 3)(h))
m = grown(L.Input((16, 16, 3)))
""",
}
ASKED = {
    "in a model": "f = keras.Model(m.input, {}.output)\nout = f(keras.ops.zeros((5, 16, 16, 3)))\n",
    "in a list": "f = keras.Model(inputs=m.inputs, outputs=[{}.output])\nout = f(keras.ops.zeros((5, 16, 16, 3)))[0]\n",
}


@pytest.mark.oracle
@pytest.mark.parametrize("name", INSIDE)
def test_maps_inside_architectures(name, inferred, executed):
    one = "(lambda b: [{}])(keras.applications.{}(weights=None, include_top=False, input_shape={}))"
    layers = ", ".join(f"b.get_layer({layer!r}).output" for layer in INSIDE[name])
    sides = [side for side in SIDES if min(side) >= 75 or name != "InceptionV3"]
    program = f"out = [{', '.join(one.format(layers, name, (*side, 3)) for side in sides)}]"
    assert inferred(program) == executed(program)


def test_each_measured_architecture_is_one_that_is_known():
    assert PATH.is_file()
    measured = [name for name in ARCHITECTURES if inside(name).maps]
    assert len(measured) >= 15
    assert all(inside(name).name for name in measured)


@pytest.mark.parametrize(("model", "asked"), list(product(MODELS, ASKED)))
def test_a_layer_by_the_name_of_its_class(model, asked):
    program = "import keras\nimport keras.layers as L\n" + MODELS[model].format("") + ASKED[asked]
    for name in ("max_pooling2d", "max_pooling2d_7"):
        assert str(values(program.format(f"m.get_layer({name!r})"))["out"].shape) == "(5, 7, 7, 4)"


@pytest.mark.parametrize(("model", "name"), list(product(MODELS, ["conv2d_1", "dense", "other"])))
def test_one_of_several_and_none_are_not_known(model, name):
    program = "import keras\nimport keras.layers as L\n" + MODELS[model].format("") + f"out = m.get_layer({name!r}).output\n"
    assert "shape" not in dir(values(program)["out"])


@pytest.mark.parametrize("model", MODELS)
def test_given_names_are_not_made(model):
    program = "import keras\nimport keras.layers as L\n" + MODELS[model].format(", name='own'")
    found = values(program + "out = m.get_layer('max_pooling2d')\nown = m.get_layer('own').output\n")
    assert not hasattr(found["out"], "layer")
    assert str(found["own"].shape).endswith("7, 7, 4)")


def test_a_widened_architecture_has_other_channels():
    program = "import keras\nb = keras.applications.MobileNetV2(input_shape=(64, 64, 3), alpha=1.4, include_top=False)\n"
    (_, inner) = ops(program + "out = b.get_layer('block_3_expand_relu').output\n", "feature_map")
    assert str(inner.output.shape) == "(B, 16, 16, features)"
