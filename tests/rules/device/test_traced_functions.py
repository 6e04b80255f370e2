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
