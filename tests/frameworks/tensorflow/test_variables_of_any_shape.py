"""Variables that may be assigned values of other shapes, held against TensorFlow; what a product with one is."""

from __future__ import annotations

import itertools

import pytest

from tests.frameworks.tensorflow.test_graphs import shape
from tests.rules.harness import reports

VALUES = {"[[]]": "(1,0)", "[[1.0, 2.0]]": "(1,2)", "tf.zeros([4, 3])": "(4,3)"}
OPEN = (
    "validate_shape=False, shape=tf.TensorShape([None, None])",
    "validate_shape=False, shape=tf.TensorShape(None)",
    "shape=[None, None]",
)


@pytest.mark.parametrize(("value", "options"), list(itertools.product(VALUES, ("", "shape=None", "name='v'", *OPEN))))
def test_shapes(value: str, options: str) -> None:
    found = shape(f"import tensorflow as tf\nout = tf.Variable({value}, {options})\n", "out")
    assert found == ("?" if options in OPEN else VALUES[value])


LAYER = """
import tensorflow as tf
from tensorflow.keras.layers import Dense, Input, Layer
from tensorflow.keras.models import Sequential


class Kept(Layer):
    def __init__(self):
        super().__init__()
        self.kept = tf.Variable({0})

    def call(self, inputs):
        return {1}


model = Sequential([Input((8,)), Dense(4, activation="softmax"), Kept()])
model.compile(loss="categorical_crossentropy", optimizer="adam")
"""
PRODUCTS = ("tf.linalg.matmul(inputs, self.kept)", "tf.matmul(inputs, tf.identity(self.kept))", "inputs @ self.kept")
FIXED = (*(f"[[]], {options}" for options in OPEN), "tf.ones([4, 3]) / 3, trainable=False")


@pytest.mark.parametrize(("variable", "product"), list(itertools.product(FIXED, PRODUCTS)))
def test_products_with_data_are_no_scores(variable: str, product: str) -> None:
    assert reports(LAYER.format(variable, product)) == []


@pytest.mark.parametrize("product", PRODUCTS[::2])
def test_products_with_weights_are_scores(product: str) -> None:
    assert {code for _, code in reports(LAYER.format("tf.random.normal([4, 3])", product))} >= {"DLL103"}
