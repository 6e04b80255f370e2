"""Data sets of TensorFlow that keep what was drawn once, in every structural form, beside those that draw anew."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import keras
import tensorflow as tf"""
MODEL = """model = keras.Sequential([keras.Input((16, 16, 3)), keras.layers.Flatten(), keras.layers.Dense(3)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
flip = keras.layers.RandomFlip("horizontal")
stack = keras.Sequential([keras.layers.Rescaling(1 / 255), keras.layers.RandomRotation(0.1)])
"""
DATA = {
    "a folder": 'data = keras.utils.image_dataset_from_directory("pictures", image_size=(16, 16))',
    "arrays": "data = tf.data.Dataset.from_tensor_slices((tf.zeros((60, 16, 16, 3)), tf.zeros((60,)))).batch(6)",
}
CHANGES = (
    "tf.image.random_flip_left_right(x)",
    "tf.image.random_brightness(x, 0.2) / 255",
    "x + tf.random.normal(tf.shape(x))",
    "x * tf.random.uniform([], 0.8, 1.2)",
    "flip(x)",
    "stack(x, training=True)",
)
KEPT = (
    "data.map(change).cache().prefetch(1)",
    "data.map(change, num_parallel_calls=tf.data.AUTOTUNE).cache('file').take(10)",
    "data.map(change).map(lambda x, y: (x * 2, y)).prefetch(1).cache()",
)
FIT = "model.fit(ready, epochs=5)"
ANEW = (
    ("data.cache().map(change).prefetch(1)", FIT),
    ("data.repeat(9).map(change).cache()", FIT),
    ("data.map(change).cache()", "model.fit(ready)"),
    ("data.map(change).cache()", "model.fit(data, epochs=5, validation_data=ready)"),
    ("data.map(change).cache()", "model.evaluate(ready)"),
    ("data.map(change)", "model.fit(ready, epochs=5, validation_data=ready.cache())"),
    ("data.map(lambda x, y: (x / 255, y)).cache().map(change)", FIT),
)
SAME = (
    "x / 255",
    "tf.image.flip_left_right(x)",
    "tf.random.stateless_normal([16, 16, 3], seed=(1, 2)) + x",
    "stack(x, training=False)",
    "tf.image.stateless_random_flip_left_right(x, (1, 2))",
)


def case(data: str, change: str, steps: str, use: str) -> Case:
    body = f"def change(x, y):\n    return {change}, y\n\nready = {steps}\n{use}"
    return Case("DLD112", IMPORTS, f"{MODEL}{data}", body, ("data", "model", "flip", "stack"))


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("data", "change", "steps"), list(product(DATA, CHANGES, KEPT)))
def test_draws_that_are_kept(data: str, change: str, steps: str, form: str, tmp_path: Path) -> None:
    files = FORMS[form](case(DATA[data], change, steps, FIT))
    assert found(files, tmp_path, ["DLD112"]) == ["DLD112"]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("steps", "use"), ANEW)
def test_draws_that_are_not_kept_for_training(steps: str, use: str, change: str, tmp_path: Path) -> None:
    files = FORMS["in_helper"](case(DATA["arrays"], change, steps, use))
    assert not found(files, tmp_path, ["DLD112"])


@pytest.mark.parametrize("change", SAME)
@pytest.mark.parametrize("steps", KEPT)
def test_steps_that_draw_nothing(steps: str, change: str, tmp_path: Path) -> None:
    assert not found(FORMS["plain"](case(DATA["arrays"], change, steps, FIT)), tmp_path, ["DLD112"])


def test_a_cache_that_nothing_takes(tmp_path: Path) -> None:
    use = "ready.cache()\nmodel.fit(ready, epochs=5)"
    assert not found(FORMS["plain"](case(DATA["arrays"], CHANGES[0], "data.map(change)", use)), tmp_path, ["DLD112"])
