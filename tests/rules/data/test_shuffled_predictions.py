"""Predictions for shuffled data sets of TensorFlow, in every structural form, beside those whose order is kept."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import keras
import numpy as np
import tensorflow as tf
from sklearn.metrics import accuracy_score, confusion_matrix"""
MODEL = """model = keras.Sequential([keras.Input((16, 16, 3)), keras.layers.Flatten(), keras.layers.Dense(3)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
"""
READ = 'keras.utils.image_dataset_from_directory("pictures", image_size=(16, 16){})'
ARRAYS = "tf.data.Dataset.from_tensor_slices((tf.zeros((60, 16, 16, 3)), tf.zeros((60,)))){}"
SHUFFLED = (
    READ.format(""),
    READ.format(", seed=3"),
    READ.format(", shuffle=True") + ".map(lambda x, y: (x / 255, y)).prefetch(1)",
    READ.format(", shuffle=False") + ".cache().shuffle(100)",
    ARRAYS.format(".shuffle(60).batch(10)"),
    ARRAYS.format(".cache().shuffle(60, seed=1).batch(10).prefetch(tf.data.AUTOTUNE)"),
)
IN_ORDER = (
    READ.format(", shuffle=False"),
    READ.format("") + ".cache()",
    ARRAYS.format(".batch(10)"),
    ARRAYS.format(".shuffle(60, reshuffle_each_iteration=False).batch(10)"),
    ARRAYS.format(".shuffle(60, 1, False).batch(10)"),
    ARRAYS.format(".shuffle(60).batch(10).cache()"),
    ARRAYS.format(".shuffle(1).batch(10)"),
)
TRUTHS = (
    "truth = np.concatenate([y for x, y in data])",
    "truth = []\nfor x, y in data:\n    truth.extend(y.numpy())",
    "truth = np.load('labels.npy')",
)
SCORES = (
    "guessed = np.argmax(model.predict(data), axis=1)\nprint(confusion_matrix(truth, guessed))",
    "scores = model.predict(data, verbose=0)\nprint(accuracy_score(y_true=truth, y_pred=[np.argmax(s) for s in scores]))",
)
SOUND = (
    "guessed = model.predict(data)\nprint(guessed.mean(axis=0))",
    "for x, y in data:\n    print(accuracy_score(y, np.argmax(model.predict(x), axis=1)))",
    "p = model.predict(data)\nprint(confusion_matrix(np.argmax(p, axis=1), (p[:, 0] > 0).astype(int)))",
    "part = data.shuffle(9)\nmodel.fit(part)\nready = data.map(lambda x, y: x)\nprint(model.predict(ready))",
)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("data", "truth", "score"), list(product(SHUFFLED, TRUTHS, SCORES)))
def test_lost_orders(data: str, truth: str, score: str, form: str, tmp_path: Path) -> None:
    case = Case("DLD113", IMPORTS, f"{MODEL}data = {data}", f"{truth}\n{score}", ("data", "model"))
    assert found(FORMS[form](case), tmp_path, ["DLD113"]) == ["DLD113"]


@pytest.mark.parametrize(("data", "truth", "score"), list(product(IN_ORDER, TRUTHS, SCORES)))
def test_kept_orders(data: str, truth: str, score: str, tmp_path: Path) -> None:
    case = Case("DLD113", IMPORTS, f"{MODEL}data = {data}", f"{truth}\n{score}", ("data", "model"))
    assert not found(FORMS["in_helper"](case), tmp_path, ["DLD113"])


@pytest.mark.parametrize("data", SHUFFLED)
@pytest.mark.parametrize("use", SOUND)
def test_predictions_that_are_not_compared(use: str, data: str, tmp_path: Path) -> None:
    case = Case("DLD113", IMPORTS, f"{MODEL}data = {data}", use, ("data", "model"))
    assert not found(FORMS["plain"](case), tmp_path, ["DLD113"])


@pytest.mark.parametrize("score", SCORES)
def test_the_other_data_set_is_shuffled(score: str, tmp_path: Path) -> None:
    text = f"{MODEL}data = {READ.format(', shuffle=False')}\nmixed = data.shuffle(100)\nmodel.fit(mixed)"
    case = Case("DLD113", IMPORTS, text, f"{TRUTHS[0]}\n{score}", ("data", "model"))
    assert not found(FORMS["plain"](case), tmp_path, ["DLD113"])
