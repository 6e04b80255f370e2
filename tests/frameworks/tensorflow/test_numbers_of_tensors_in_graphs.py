"""``int(x)`` and ``float(x)`` in what TensorFlow traces are casts of tensors with axes, by AutoGraph; of one number they stay
numbers."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

PROGRAM = """import tensorflow as tf


def encode(labels):
    return tf.one_hot({convert}(labels), 10)


{decorator}
def build(rows):
    codes = encode({labels})
    return tf.concat([tf.ones((4, 1)), codes], axis=-1)


{call}
"""
CALLS = [
    ("@tf.function", "build(tf.zeros((4, 5)))"),
    ("", "tf.data.Dataset.from_tensor_slices(tf.zeros((8, 4, 5))).map(build)"),
    ("", "tf.data.Dataset.from_tensor_slices(tf.zeros((8, 4, 5))).map(lambda rows: build(rows))"),
]


def _is_told(decorator: str, call: str, labels: str, convert: str) -> bool:
    text = PROGRAM.format(decorator=decorator, call=call, labels=labels, convert=convert)
    return "DLT109" in {finding.code for finding in findings(text)}


@pytest.mark.parametrize("convert", ["int", "float"])
@pytest.mark.parametrize("labels", ["rows[:, 4]", "tf.reduce_max(rows, axis=1)", "tf.reshape(rows[..., :1], (4,))"])
@pytest.mark.parametrize(("decorator", "call"), CALLS)
def test_casts(decorator: str, call: str, labels: str, convert: str) -> None:
    assert not _is_told(decorator, call, labels, convert)


@pytest.mark.parametrize("labels", ["tf.reduce_max(rows)", "tf.constant(3)", "tf.zeros((4, 5))[0, 1]"])
@pytest.mark.parametrize(("decorator", "call"), CALLS)
def test_numbers(decorator: str, call: str, labels: str) -> None:
    assert _is_told(decorator, call, labels, "int")
