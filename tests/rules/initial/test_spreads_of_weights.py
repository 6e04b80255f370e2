"""Weights that start far too large: initializers of Keras, and matrices without a layer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

KERAS = """import keras
from keras import initializers, layers

inputs = keras.Input((400,))
start = {0}
model = keras.Model(inputs, layers.Dense(8, activation="tanh", kernel_initializer=start)(inputs))
print(model.summary())
"""
STARTS = {
    "initializers.RandomNormal(stddev=1.0)": True,
    "initializers.RandomNormal(0.0, 2.0)": True,
    "keras.initializers.RandomUniform(minval=0.0, maxval=1.0, seed=0)": True,
    "initializers.TruncatedNormal(stddev=1)": True,
    "initializers.RandomNormal()": False,
    "initializers.RandomNormal(stddev=400 ** -0.5)": False,
    "initializers.RandomUniform(-1.0, 1.0)": False,
    "initializers.HeNormal()": False,
    "'random_normal'": False,
}


@pytest.mark.parametrize("start", STARTS)
def test_initializers_of_keras(start: str, tmp_path: Path) -> None:
    assert ("DLI104" in found({MAIN: KERAS.format(start)}, tmp_path, ["DLI104"])) is STARTS[start]


TENSORFLOW = """import tensorflow as tf

tables = {{"first": tf.Variable({0}), "second": tf.Variable(tf.zeros([8]))}}
x = tf.ones([4, 400])
print(tf.nn.tanh(tf.matmul(x, tables["first"]) + tables["second"]))
"""
TORCH = """import torch
from torch import nn

first = {0}
x = torch.ones(4, 400)
print(torch.tanh(x @ first))
"""
DRAWS = {
    (TENSORFLOW, "tf.random.normal([400, 8])"): True,
    (TENSORFLOW, "tf.random.normal([400, 8], stddev=0.05)"): False,
    (TENSORFLOW, "tf.random.normal([400, 8]) / 20.0"): False,
    (TENSORFLOW, "tf.random.normal([400, 8]), trainable=False"): False,
    (TORCH, "nn.Parameter(torch.randn(400, 8))"): True,
    (TORCH, "torch.randn(400, 8, requires_grad=True)"): True,
    (TORCH, "nn.Parameter(torch.rand(400, 8))"): True,
    (TORCH, "nn.Parameter(torch.rand(400, 8) / 20)"): False,
    (TORCH, "nn.Parameter(2 * torch.rand(400, 8) - 1)"): False,
    (TORCH, "nn.Parameter(torch.rand(400, 8)).softmax(0)"): False,
    (TENSORFLOW, "tf.random.uniform([400, 8])"): True,
    (TENSORFLOW, "tf.random.uniform([400, 8], -0.05, 0.05)"): False,
    (TORCH, "nn.Parameter(torch.randn(400, 8) * 0.05)"): False,
    (TORCH, "torch.randn(400, 8)"): False,
    (TORCH, "nn.Parameter(torch.randn(400, 8), requires_grad=False)"): False,
}


@pytest.mark.parametrize(("program", "draw"), DRAWS)
def test_matrices_without_a_layer(program: str, draw: str, tmp_path: Path) -> None:
    assert ("DLI104" in found({MAIN: program.format(draw)}, tmp_path, ["DLI104"])) is DRAWS[program, draw]


HE = """import keras
from keras import layers

start = {0}
model = keras.Sequential([keras.Input((16,))])
for width in (32, 16, 8):
    model.add(layers.Dense(width, activation={1}, kernel_initializer=start))
model.add(layers.Dense(1))
print(model.predict(keras.ops.ones((4, 16))))
"""


@pytest.mark.parametrize(
    ("start", "activation", "is_told"),
    [
        ("'he_normal'", "'tanh'", True),
        ("keras.initializers.HeUniform()", "keras.activations.sigmoid", True),
        ("'he_normal'", "'relu'", False),
        ("'glorot_uniform'", "'tanh'", False),
        ("keras.initializers.GlorotNormal()", "'relu'", False),
    ],
)
def test_activations_behind_initializers_of_keras(start: str, activation: str, is_told: bool, tmp_path: Path) -> None:
    assert ("DLI105" in found({MAIN: HE.format(start, activation)}, tmp_path, ["DLI105"])) is is_told
