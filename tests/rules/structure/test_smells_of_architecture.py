"""Layers before a batch normalisation, deep rows of sigmoids, large and narrow dense layers, in the forms of both libraries."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import findings

TORCH = """
import torch as th
import torch.nn as layers


class Block(layers.Module):
    def __init__(self):
        super().__init__()
        {members}

    def forward(self, h):
        {flow}
        return h


print(Block()(th.randn({shape})))
"""
KERAS = """
import keras
from keras import layers as parts


def build():
    model = keras.Sequential([keras.Input({shape})])
    {added}
    return model


build().summary()
"""


def in_torch(layers: list[str], shape: str) -> str:
    members = "\n        ".join(f"self.part{n} = layers.{layer}" for n, layer in enumerate(layers))
    flow = "\n        ".join(f"h = self.part{n}(h)" for n in range(len(layers)))
    return TORCH.format(members=members, flow=flow, shape=shape)


def in_keras(layers: list[str], shape: str) -> str:
    return KERAS.format(added="\n    ".join(f"model.add(parts.{layer})" for layer in layers), shape=shape)


def codes(text: str) -> set[str]:
    return {finding.code for finding in findings(text)}


CONVOLUTION, NORM = "Conv2d(3, 8, 3{})", "BatchNorm2d(8)"
BETWEEN = {
    "": True, "MaxPool2d(2)": True, "AvgPool2d(2)": True, "Identity()": True, "AvgPool2d(3, padding=1)": False, "ReLU()": False,
    "Dropout(0.1)": False,
}  # fmt: skip


@pytest.mark.parametrize(("bias", "between"), list(product(("", ", bias=True", ", bias=False"), BETWEEN)))
def test_biases_before_batch_normalisations(bias, between):
    layers = [CONVOLUTION.format(bias), *filter(None, [between]), NORM]
    expected = "False" not in bias and BETWEEN[between]
    assert ("DLS205" in codes(in_torch(layers, "4, 3, 16, 16"))) == expected


@pytest.mark.parametrize("norm", ["GroupNorm(2, 8)", "InstanceNorm2d(8)", "LayerNorm([14, 14])"])
def test_biases_before_other_normalisations(norm):
    assert "DLS205" not in codes(in_torch([CONVOLUTION.format(""), norm], "4, 3, 16, 16"))


def test_biases_of_loaded_weights():
    text = in_torch([CONVOLUTION.format(""), NORM], "4, 3, 16, 16")
    loaded = text.replace("print(Block()", "block = Block()\nblock.load_state_dict(th.load('a.pt'))\nprint(block")
    assert "DLS205" not in codes(loaded)


def test_biases_of_layers_that_are_used_elsewhere():
    text = in_torch([CONVOLUTION.format(""), NORM], "4, 3, 16, 16")
    assert "DLS205" not in codes(text.replace("h = self.part1(h)", "h = self.part1(h) + h"))


KERAS_BETWEEN = {"": True, "Activation('relu')": True, "Dense(16)": False}


@pytest.mark.parametrize(("rate", "between"), list(product((0.5, 0.0), KERAS_BETWEEN)))
def test_dropout_before_batch_normalisations(rate, between):
    layers = ["Dense(16)", f"Dropout({rate})", *filter(None, [between]), "BatchNormalization()", "Dense(1)"]
    assert ("DLS206" in codes(in_keras(layers, "(8,)"))) == (rate > 0 and KERAS_BETWEEN[between])


@pytest.mark.parametrize(("number", "activation"), list(product((2, 3, 4, 6), ("sigmoid", "tanh", "relu"))))
def test_rows_of_sigmoids(number, activation):
    layers = [f"Dense(16, activation='{activation}')"] * number + ["Dense(1)"]
    assert ("DLS211" in codes(in_keras(layers, "(8,)"))) == (number >= 4 and activation == "sigmoid")


def test_rows_of_sigmoids_with_normalisation():
    layers = ["Dense(16, activation='sigmoid')", "BatchNormalization()"] * 5 + ["Dense(1)"]
    assert "DLS211" not in codes(in_keras(layers, "(8,)"))


@pytest.mark.parametrize(("side", "units", "pooled"), list(product((16, 224), (8, 256), (False, True))))
def test_large_dense_layers(side, units, pooled):
    flat = "GlobalAveragePooling2D()" if pooled else "Flatten()"
    layers = ["Conv2D(16, 3, padding='same')", flat, f"Dense({units})"]
    expected = not pooled and side * side * 16 * units > 50_000_000
    assert ("DLS302" in codes(in_keras(layers, f"({side}, {side}, 3)"))) == expected


@pytest.mark.parametrize(("width", "classes", "bent"), list(product((1, 2, 16), (2, 10, 100), (True, False))))
def test_narrow_layers_before_classes(width, classes, bent):
    activation = ", activation='relu'" if bent else ""
    text = in_keras([f"Dense({width}{activation})", f"Dense({classes}, activation='softmax')"], "(64,)")
    text = text.replace("build().summary()", "build().compile('adam', 'sparse_categorical_crossentropy')")
    expected = bent and width <= 8 and 4 * width < classes
    assert ("DLS303" in codes(text)) == expected


PLAIN = in_torch([CONVOLUTION.format(""), NORM], "4, 3, 16, 16")
DROPPED = in_torch(["Dropout(0.5)", "BatchNorm1d(8)"], "4, 8")
OWN_MODE = "\n    def train(self, mode=True):\n        super().train(mode)\n        self.part1.eval()\n        return self\n"
OTHERWISE = (
    PLAIN.replace("        return h", "        return h + self.part0.bias[:, None, None]"),
    PLAIN.replace("\n    def forward", f"{OWN_MODE}\n    def forward"),
    PLAIN.replace(NORM, f"{NORM}.eval()"),
    in_keras(["Dense(4)", "BatchNormalization(trainable=False)"], "(8,)"),
    in_keras(["Dropout(0.5)", "BatchNormalization(trainable=False)"], "(8,)"),
    DROPPED.replace("self.part0(h)", "layers.functional.dropout(h, 0.5, training=True)"),
    DROPPED.replace("h = self.part1(h)", "h = self.part1(h) if not self.training else h"),
)


@pytest.mark.parametrize("text", OTHERWISE)
def test_normalisations_by_stored_statistics_and_biases_read_elsewhere(text):
    assert not codes(text) & {"DLS205", "DLS206"}


@pytest.mark.parametrize("joined", ["Flatten()", "Reshape((100,))"])
def test_narrow_features_of_many_steps(joined):
    layers = ["Dense(2, activation='relu')", joined, "Dense(10, activation='softmax')"]
    text = in_keras(layers, "(50, 64)").replace(
        "return", 'model.compile("adam", "sparse_categorical_crossentropy")\n    return'
    )
    assert "DLS303" not in codes(text)


def test_rows_with_own_outputs_and_rows_that_are_frozen_for_a_time():
    frozen = in_keras(["Dense(8, activation='sigmoid')"] * 5 + ["Dense(1)"], "(8,)")
    frozen = frozen.replace("return", "for layer in model.layers:\n        layer.trainable = False\n    return")
    supervised = """
import keras
given = h = keras.Input((8,))
outs = []
for k in range(5):
    h = keras.layers.Dense(8, activation="sigmoid")(h)
    outs.append(keras.layers.Dense(1)(h))
model = keras.Model(given, outs)
"""
    assert not {"DLS211"} & (codes(frozen) | codes(supervised))
