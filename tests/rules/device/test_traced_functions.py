"""What `tf.function` freezes or refuses is found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import functools
import random

import numpy as np
import tensorflow as tf
"""
DECORATED = "{decorator}\ndef step(x):\n    return x + {drawn}\n\nprint(step(data))"
BELOW = "def noise():\n    return {drawn}\n\n{decorator}\ndef step(x):\n    return x + noise()\n\nprint(step(data))"
GIVEN = "def step(x):\n    return x + {drawn}\n\nstep = tf.function(step)\nprint(step(data))"
METHOD = (
    "class Layer(tf.Module):\n    {decorator}\n    def __call__(self, x):\n        return x + {drawn}\n\nprint(Layer()(data))"
)
DECORATORS = ("@tf.function", "@tf.function(jit_compile=True)", "@tf.function(reduce_retracing=True)")
DRAWN = ("np.random.rand()", "np.random.normal(0.0, 1.0, 3)", "random.random()", "random.gauss(0, 1)")
SOUND = ("tf.random.normal([])", "tf.numpy_function(lambda: np.random.rand(), [], tf.float64)", "tf.constant(1.0)")
PLAIN = [name for name in FORMS if name != "in_method"]


def told(body: str, form: str, folder: Path) -> bool:
    folder.mkdir()
    case = Case("DLG109", IMPORTS, "data = tf.zeros(3)", body, ("data",))
    return "DLG109" in found(FORMS[form](case), folder, ["DLG109"])


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(
    ("body", "decorator", "drawn", "form"), list(product((DECORATED, BELOW, GIVEN, METHOD), DECORATORS, DRAWN, PLAIN))
)
def test_numbers_of_python(body: str, decorator: str, drawn: str, form: str, tmp_path: Path) -> None:
    assert told(body.format(decorator=decorator, drawn=drawn), form, tmp_path / "a")
    plain = "@functools.cache" if "class" not in body else "@functools.lru_cache"
    untraced = re.sub(r"step = tf.function\(step\)\n", "", body.format(decorator=plain, drawn=drawn))
    assert not told(untraced, form, tmp_path / "b")


@pytest.mark.parametrize(("body", "drawn"), list(product((DECORATED, METHOD), SOUND)))
def test_numbers_of_tensorflow(body: str, drawn: str, tmp_path: Path) -> None:
    assert not told(body.format(decorator="@tf.function", drawn=drawn), "plain", tmp_path / "a")


@pytest.mark.parametrize("decorator", DECORATORS)
def test_variables(decorator: str, tmp_path: Path) -> None:
    made = f"{decorator}\ndef step(x):\n    v = tf.Variable(1.0)\n    return x + v\n\nprint(step(data))"
    assert told(made, "plain", tmp_path / "a")
    guarded = made.replace("    v = tf.Variable(1.0)\n", "    global v\n    if v is None:\n        v = tf.Variable(1.0)\n")
    assert not told(f"v = None\n{guarded}", "plain", tmp_path / "b")
    assert not told(f"v = tf.Variable(1.0)\n{made.replace('v = tf.Variable(1.0)', 'pass')}", "plain", tmp_path / "c")


def test_a_class_that_is_registered_is_not_traced(tmp_path: Path) -> None:
    body = "@tf.keras.utils.register_keras_serializable()\ndef step(x):\n    return x + np.random.rand()\n\nprint(step(data))"
    assert not told(body, "plain", tmp_path / "a")


STEP = """
kept = []

{decorator}
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x, training=True) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    {keep}
    return loss

for _ in range(100):
    step(data)
"""
MODEL = (
    "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\noptimizer = tf.keras.optimizers.SGD()\ndata = tf.zeros((8, 3))"
)


def _keeps(decorator: str, keep: str, form: str, folder: Path) -> bool:
    case = Case("DLG109", IMPORTS, MODEL, STEP.format(decorator=decorator, keep=keep), ("model", "optimizer", "data"))
    return "DLG109" in found(FORMS[form](case), folder, ["DLG109"])


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(("decorator", "form"), list(product(DECORATORS, PLAIN)))
def test_lists_of_traced_functions(decorator: str, form: str, tmp_path: Path) -> None:
    assert _keeps(decorator, "kept.append(loss)", form, tmp_path)


@pytest.mark.parametrize("keep", ["parts = []\n    parts.append(loss)", "kept.append(3)", "pass"])
def test_lists_that_a_trace_makes(keep: str, tmp_path: Path) -> None:
    assert not _keeps("@tf.function", keep, "plain", tmp_path)


def test_lists_of_eager_functions(tmp_path: Path) -> None:
    assert not _keeps("", "kept.append(loss)", "plain", tmp_path)
