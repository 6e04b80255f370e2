"""Rates of dropout and momenta of batch normalisation, however they reach the constructor."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import found

IMPORTS = """import keras
import tensorflow as tf
import torch.nn.functional as F
from torch import nn
"""
WAYS = {
    "an argument": "layer = {call}({before}{name}={value})",
    "a variable": "given = {value}\nlayer = {call}({before}{name}=given)",
    "an option": "options = {{'{name}': {value}}}\nlayer = {call}({before}**options)",
    "a parameter": "def build(given):\n    return {call}({before}{name}=given)\n\n\nlayer = build({value})",
    "an attribute": (
        "class Net(nn.Module):\n    def __init__(self, given={value}):\n        super().__init__()\n"
        "        self.given = given\n        self.layer = {call}({before}{name}=self.given)\n\n\nnet = Net()"
    ),
}
WRONG = {
    "torch, 0.99": ("nn.BatchNorm2d", "8, ", "momentum", "0.99"),
    "torch, 0.9": ("nn.BatchNorm1d", "8, ", "momentum", "0.9"),
    "torch, a large epsilon": ("nn.BatchNorm2d", "8, ", "eps", "0.8"),
    "Keras, 0.1": ("keras.layers.BatchNormalization", "", "momentum", "0.1"),
    "Keras, a large epsilon": ("keras.layers.BatchNormalization", "", "epsilon", "0.9"),
}
RIGHT = {
    "torch, 0.01": ("nn.BatchNorm2d", "8, ", "momentum", "0.01"),
    "torch, the last batch": ("nn.BatchNorm2d", "8, ", "momentum", "1.0"),
    "torch, all batches": ("nn.BatchNorm2d", "8, ", "momentum", "None"),
    "torch, an epsilon": ("nn.BatchNorm2d", "8, ", "eps", "1e-3"),
    "Keras, 0.9": ("keras.layers.BatchNormalization", "", "momentum", "0.9"),
    "no batch normalisation": ("nn.LayerNorm", "8, ", "eps", "0.5"),
}
KEPT = (
    "keep_prob = 0.8\nlayer = nn.Dropout({0})",
    "def build(p_keep):\n    return nn.Dropout2d({0})\n\n\nlayer = build(0.9)",
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.keepProb = 0.75\n\n"
    "    def forward(self, x):\n        return F.dropout(x, {0}, self.training)\n\n\nx = Net()(keras.ops.ones((2, 3)))",
    "keep_rate = 0.7\nlayer = keras.layers.Dropout({0})",
    "def thin(x, keep=0.9):\n    return tf.nn.dropout(x, {0})\n\n\nh = thin(tf.ones((2, 3)))",
    "prob_to_keep = 0.75\nh = tf.nn.dropout(tf.ones((2, 3)), rate={0})",
    "class Port(tf.Module):\n    def __init__(self):\n        self.keep_prob = 0.8\n\n"
    "    def __call__(self, x):\n        return tf.nn.dropout(x, {0}, seed=1)\n\n\nh = Port()(tf.ones((2, 3)))",
)
NAMES = ("keep_prob", "p_keep", "self.keepProb", "keep_rate", "keep", "prob_to_keep", "self.keep_prob")
IDLE = ("nn.LSTM(8, 16, dropout=0.5)", "nn.GRU(8, 16, 1, dropout=rate)", "nn.RNN(8, 16, num_layers=1, dropout=0.1)")
ACTIVE = ("nn.LSTM(8, 16, 2, dropout=0.5)", "nn.GRU(8, 16, layers, dropout=0.3)", "nn.RNN(8, 16, dropout=0.0)")
ENCODER = """class Encoder(nn.Module):
    def __init__(self, rate=0.3, layers=1):
        super().__init__()
        self.rnn = {0}
"""


def program(way: str, call: str, before: str, name: str, value: str) -> dict[str, str]:
    """A program that passes one argument in one way."""
    return {"main.py": IMPORTS + WAYS[way].format(call=call, before=before, name=name, value=value) + "\n"}


@pytest.mark.parametrize(("way", "name"), [*product(WAYS, WRONG)])
def test_a_momentum_of_the_other_framework(way: str, name: str, tmp_path: Path) -> None:
    assert found(program(way, *WRONG[name]), tmp_path, ["DLS210"]) == ["DLS210"]


@pytest.mark.parametrize(("way", "name"), [*product(WAYS, RIGHT)])
def test_a_usual_momentum(way: str, name: str, tmp_path: Path) -> None:
    assert not found(program(way, *RIGHT[name]), tmp_path, ["DLS210"])


@pytest.mark.parametrize(("text", "name"), [*zip(KEPT, NAMES, strict=True)])
def test_a_share_to_keep(text: str, name: str, tmp_path: Path) -> None:
    assert "DLS208" in found({"main.py": IMPORTS + text.format(name) + "\n"}, tmp_path, ["DLS208"])
    assert not found({"main.py": IMPORTS + text.format(f"1 - {name}") + "\n"}, tmp_path, ["DLS208"])


@pytest.mark.parametrize("call", IDLE)
def test_dropout_of_one_recurrent_layer(call: str, tmp_path: Path) -> None:
    assert found({"main.py": IMPORTS + ENCODER.format(call)}, tmp_path, ["DLS208"]) == ["DLS208"]


@pytest.mark.parametrize("call", ACTIVE)
def test_dropout_between_recurrent_layers(call: str, tmp_path: Path) -> None:
    assert not found({"main.py": IMPORTS + ENCODER.format(call)}, tmp_path, ["DLS208"])
