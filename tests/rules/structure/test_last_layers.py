"""Dropout and normalisation behind the scores or probabilities of classes, in models of both frameworks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

TORCH = """import torch
import torch.nn.functional as F
from torch import nn


def ended(scores, drop):
    return {0}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(8, 16), nn.Linear(16, 5)
        self.drop, self.norm = nn.Dropout(0.2), nn.BatchNorm1d(5)

    def forward(self, x):
        scores = self.last(F.relu(self.first(x)))
        scores = {1}
        return scores.contiguous()


loss = {2}
"""
KERAS = """from keras import Input, Model, Sequential, layers

model = Sequential([Input((8,)), layers.Dense(16, activation="relu"), {0}])
model.compile(optimizer="adam", loss="{1}")
"""
CROSS_ENTROPY = "F.cross_entropy(Net()(torch.randn(4, 8)), torch.randint(0, 5, (4,)))"
LIKELIHOOD = "nn.NLLLoss()(Net()(torch.randn(4, 8)), torch.randint(0, 5, (4,)))"
DROPPED = {
    "a layer": ("drop(scores)", "self.drop(scores)", CROSS_ENTROPY),
    "a function": ("scores", "F.dropout(scores, 0.5, self.training)", CROSS_ENTROPY),
    "in a helper": ("drop(scores)", "ended(scores, self.drop)", CROSS_ENTROPY),
    "before the activation": ("scores", "self.drop(scores).log_softmax(dim=1)", LIKELIHOOD),
    "behind it": ("scores", "self.drop(scores.log_softmax(dim=1))", LIKELIHOOD),
    "normalised probabilities": ("scores", "self.norm(scores.log_softmax(dim=1))", LIKELIHOOD),
}
KEPT = {
    "before the last layer": ("scores", "self.last(self.drop(F.relu(self.first(x))))", CROSS_ENTROPY),
    "normalised scores": ("scores", "self.norm(scores)", CROSS_ENTROPY),
    "no rate": ("scores", "F.dropout(scores, 0.0)", CROSS_ENTROPY),
    "not in training": ("scores", "F.dropout(scores, 0.5, training=False)", CROSS_ENTROPY),
    "similarities": ("scores", "self.drop(scores) @ self.drop(scores).T", CROSS_ENTROPY),
    "no loss": ("scores", "self.drop(scores)", "Net()(torch.randn(4, 8))"),
}
LAST = {
    "dropout": 'layers.Dense(5, activation="softmax"), layers.Dropout(0.3)',
    "dropout before the activation": "layers.Dense(5), layers.Dropout(0.3), layers.Softmax()",
    "dropout behind a flattening": 'layers.Dense(5, activation="softmax"), layers.Dropout(0.3), layers.Flatten()',
    "normalisation": 'layers.Dense(5, activation="softmax"), layers.BatchNormalization()',
}
INNER = {
    "dropout": 'layers.Dropout(0.3), layers.Dense(5, activation="softmax")',
    "normalisation": "layers.Dense(5), layers.BatchNormalization(), layers.Softmax()",
}


@pytest.mark.parametrize("name", DROPPED)
def test_the_last_layer_of_a_module(name: str, tmp_path: Path) -> None:
    assert "DLS207" in found({"main.py": TORCH.format(*DROPPED[name])}, tmp_path, ["DLS207"])


@pytest.mark.parametrize("name", KEPT)
def test_an_inner_layer_of_a_module(name: str, tmp_path: Path) -> None:
    assert not found({"main.py": TORCH.format(*KEPT[name])}, tmp_path, ["DLS207"])


@pytest.mark.parametrize("loss", ["categorical_crossentropy", "sparse_categorical_crossentropy"])
@pytest.mark.parametrize("name", LAST)
def test_the_last_layer_of_a_keras_model(name: str, loss: str, tmp_path: Path) -> None:
    assert found({"main.py": KERAS.format(LAST[name], loss)}, tmp_path, ["DLS207"]) == ["DLS207"]


@pytest.mark.parametrize("name", INNER)
def test_an_inner_layer_of_a_keras_model(name: str, tmp_path: Path) -> None:
    assert not found({"main.py": KERAS.format(INNER[name], "categorical_crossentropy")}, tmp_path, ["DLS207"])
