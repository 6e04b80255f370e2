"""Activations and cross-entropies of outputs whose number of units is not known: only what fits no number is told."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports

PROGRAM = """
import keras
import numpy as np
from keras import layers


def build(units):
    model = keras.Sequential([keras.Input((16,)), layers.Dense(32, activation="relu")])
    {last}
    model.compile("adam", loss="{loss}")
    return model


labels = np.load("labels.npy")
build(labels.shape[1]).summary()
"""
LAST = (
    "model.add(layers.Dense(units, activation='{}'))", "model.add(layers.Dense(units))\n    model.add(layers.Activation('{}'))",
)  # fmt: skip
FITTING = {
    ("softmax", "categorical_crossentropy"), ("softmax", "sparse_categorical_crossentropy"), ("sigmoid", "binary_crossentropy"),
    ("relu", "mse"), ("softmax", "mse"), ("sigmoid", "mse"),
}  # fmt: skip
ACTIVATIONS = ("softmax", "sigmoid", "relu")
KINDS = ("categorical_crossentropy", "sparse_categorical_crossentropy", "binary_crossentropy", "mse")


@pytest.mark.parametrize(("last", "activation", "loss"), list(product(LAST, ACTIVATIONS, KINDS)))
def test_pairs_of_activation_and_loss(last, activation, loss):
    codes = {code for _, code in reports(PROGRAM.format(last=last.format(activation), loss=loss))}
    assert ("DLL107" in codes) == ((activation, loss) not in FITTING)
