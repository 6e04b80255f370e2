"""What a gradient tape does not record, and gradients that nobody applies: in every form of a program, and not in its twins."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.rules.training.variants import FORMS, Case, found, indented

IMPORTS: Final = "import tensorflow as tf\nfrom tensorflow import keras"
OWN: Final = """
class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = keras.layers.Dense(4)
        self.outer = keras.layers.Dense(1)

    def call(self, inputs, training=False):
        return self.outer(self.inner(inputs))
"""
#: How the model is made.
MODELS: Final = {
    "sequential": "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(1)])",
    "without-input": "model = keras.Sequential([keras.layers.Dense(3), keras.layers.Dense(1)])",
    "functional": "start = keras.Input((4,))\nmodel = keras.Model(start, keras.layers.Dense(1)(keras.layers.Dense(3)(start)))",
    "own": "model = Own()",
    "layer": "model = keras.layers.Dense(1)",
}
DATA: Final = (
    "x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))\noptimizer = keras.optimizers.SGD(0.1)\n"
    "other = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])"
)
NAMES: Final = ("model", "other", "optimizer", "x", "y")
TAPE: Final = "with tf.GradientTape() as tape:\n"
LOSS: Final = "loss = tf.reduce_mean((out - y) ** 2)"
ASKED: Final = "grads = tape.gradient(loss, model.trainable_variables)\n"
APPLIED: Final = "optimizer.apply_gradients(zip(grads, model.trainable_variables))"
#: Programs in which the model is applied before the tape.
OUTSIDE: Final = {
    "before": f"out = model(x)\n{TAPE}    {LOSS}\n{ASKED}{APPLIED}",
    "with-flag": f"out = model(x, training=True)\n{TAPE}    loss = keras.losses.MeanSquaredError()(y, out)\n{ASKED}{APPLIED}",
    "asked-inside": f"out = model(x)\n{TAPE}    {LOSS}\n    {ASKED}{APPLIED}",
    "other-inside": f"out = model(x)\n{TAPE}    loss = tf.reduce_mean(other(out))\n{ASKED}{APPLIED}",
    "in-a-loop": f"for step in range(2):\n{indented(f'out = model(x){chr(10)}{TAPE}    {LOSS}{chr(10)}{ASKED}{APPLIED}')}",
    "weights": f"out = model(x)\n{TAPE}    {LOSS}\ngrads = tape.gradient(loss, model.trainable_weights)\n{APPLIED}",
}
#: Programs that look like them and whose gradients are tensors.
INSIDE: Final = {
    "inside": f"{TAPE}    out = model(x)\n    {LOSS}\n{ASKED}{APPLIED}",
    "twice": f"out = model(x)\n{TAPE}    out = model(x)\n    {LOSS}\n{ASKED}{APPLIED}",
    "first-batch": f"model(x)\n{TAPE}    {LOSS.replace('out', 'model(x)')}\n{ASKED}{APPLIED}",
    "within-another": f"out = model(x)\nboth = keras.Sequential([model, other])\n{TAPE}    loss = tf.reduce_mean(both(x))\n"
    f"{ASKED}{APPLIED}",
    "decay": f"out = model(x)\n{TAPE}    loss = tf.add_n([tf.nn.l2_loss(v) for v in model.trainable_variables])\n"
    f"{ASKED}{APPLIED}",
    "both": f"first = model(x)\n{TAPE}    out = first + model(x)\n    {LOSS}\n{ASKED}{APPLIED}",
    "two-tapes": f"out = model(x)\n{TAPE}    out = model(x)\nwith tape:\n    {LOSS}\n{ASKED}{APPLIED}",
    "of-the-other": f"out = model(x)\n{TAPE}    loss = tf.reduce_mean(other(out))\n"
    "grads = tape.gradient(loss, other.trainable_variables)\noptimizer.apply_gradients(zip(grads, other.trainable_variables))",
}
#: Gradients that nothing applies, and the twins that apply them.
LEFT: Final = {
    "never": "",
    "clipped": "grads, _ = tf.clip_by_global_norm(grads, 1.0)",
    "clipped-each": "grads = [tf.clip_by_value(g, -1.0, 1.0) for g in grads]",
}
#: Statements that use the gradients.
USED: Final = (
    APPLIED,
    f"grads, norm = tf.clip_by_global_norm(grads, 1.0)\n{APPLIED}",
    "grads, norm = tf.clip_by_global_norm(grads, 1.0)\nprint(norm)",
    "print([tf.norm(g) for g in grads])",
    "for variable, change in zip(model.trainable_variables, grads):\n    variable.assign_sub(0.1 * change)",
)


def _case(kind: str, body: str) -> Case:
    return Case("DLO117", f"{IMPORTS}\n\n{OWN}", f"{MODELS[kind]}\n{DATA}", body, NAMES)


def _told(kind: str, body: str, form: str, folder: Path) -> list[str]:
    return found(FORMS[form](_case(kind, body)), folder, ["DLO117"])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("body", OUTSIDE)
def test_models_that_are_applied_before_their_tape(kind: str, body: str, form: str, tmp_path: Path) -> None:
    assert _told(kind, OUTSIDE[body], form, tmp_path) == ["DLO117"]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("body", INSIDE)
def test_models_that_the_tape_records(kind: str, body: str, form: str, tmp_path: Path) -> None:
    assert _told(kind, INSIDE[body], form, tmp_path) == []


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["sequential", "own"])
@pytest.mark.parametrize("rest", LEFT)
def test_gradients_that_nothing_applies(kind: str, rest: str, form: str, tmp_path: Path) -> None:
    assert "DLO117" in _told(kind, f"{TAPE}    out = model(x)\n    {LOSS}\n{ASKED}{LEFT[rest]}", form, tmp_path)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rest", USED)
def test_gradients_that_are_used(rest: str, form: str, tmp_path: Path) -> None:
    assert _told("sequential", f"{TAPE}    out = model(x)\n    {LOSS}\n{ASKED}{rest}", form, tmp_path) == []


@pytest.mark.parametrize("rest", [*LEFT.values(), *USED])
def test_gradients_of_a_model_that_is_given(rest: str, tmp_path: Path) -> None:
    body = f"{TAPE}    out = model(x)\n    {LOSS}\n{ASKED}{rest}"
    text = f"{IMPORTS}\n\n\ndef learn(model, optimizer, x, y):\n{indented(body)}    return loss\n"
    assert (found({"main.py": text}, tmp_path, ["DLO117"]) == ["DLO117"]) is (rest in LEFT.values())


@pytest.mark.oracle
def test_tensorflow_gives_none_for_what_is_told_and_tensors_for_what_is_not() -> None:
    texts = [f"{MODELS[kind]}\n{DATA}\n{body}" for bodies in (OUTSIDE, INSIDE) for kind in MODELS for body in bodies.values()]
    asked = "none = all(g is None for g in grads)"
    runs = [f"exec({text.replace(APPLIED, asked)!r})\nprint(all(g is None for g in grads))" for text in texts]
    program = "\n".join((IMPORTS, OWN, *runs))
    environment = {**os.environ, "KERAS_BACKEND": "tensorflow"}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    shown = run.stdout.split()
    assert shown == ["True"] * len(OUTSIDE) * len(MODELS) + ["False"] * len(INSIDE) * len(MODELS), run.stderr[-2000:]
