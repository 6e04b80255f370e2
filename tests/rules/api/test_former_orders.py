"""Arguments in the order of TensorFlow before 1.0, in every structural form."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import tensorflow as tf"
SETUP = "a, b, along, picture = tf.zeros([2, 3]), tf.ones([2, 3]), 1, tf.zeros([1, 4, 4, 3])"
NAMES = ("a", "b", "along", "picture")
CALLS = {
    "tf.concat(1, [a, b])": True,
    "tf.concat(along, (a, tf.nn.relu(b)))": True,
    "tf.concat(axis=[a, b], values=1)": True,
    "tf.concat(along, a)": True,
    "tf.split(1, 3, a)": True,
    "tf.split(along, 3, value=a)": False,  # not a call that Python takes
    "tf.image.resize(picture, 8, 8)": True,
    "tf.concat([a, b], 1)": False,
    "tf.concat(axis=1, values=[a, b])": False,
    "tf.concat([a, b], along)": False,
    "tf.split(a, 3, 1)": False,
    "tf.split(a, [1, 2], axis=1)": False,
    "tf.image.resize(picture, [8, 8])": False,
    "tf.image.resize(picture, (8, 8), 'nearest')": False,
    "tf.concat([tf.shape(a)[:1], [8]], 0)": False,
}


@pytest.mark.parametrize("form", list(FORMS)[::2])
@pytest.mark.parametrize("call", CALLS)
def test_the_order_of_arguments(call: str, form: str, tmp_path: Path) -> None:
    case = Case("DLA106", IMPORTS, SETUP, f"result = {call}", NAMES)
    assert ("DLA106" in found(FORMS[form](case), tmp_path, ["DLA106"])) is CALLS[call]
