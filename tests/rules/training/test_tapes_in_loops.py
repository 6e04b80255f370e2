"""Tapes in the passes of training loops, and in helpers that ask them: found in every form, and in no repaired twin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import tensorflow as tf"
SETUP = (
    "model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])\n"
    "other = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])\n"
    "optimizer = tf.keras.optimizers.SGD(0.1)\nmse = tf.keras.losses.MeanSquaredError()\n"
    "data = tf.data.Dataset.from_tensor_slices((tf.random.normal((32, 8)), tf.random.normal((32, 1)))).batch(8)\n"
)
NAMES = ("model", "other", "optimizer", "mse", "data")
APPLY = (
    "grads = tape.gradient({0}, model.trainable_variables)\n    "
    "optimizer.apply_gradients(zip(grads, model.trainable_variables))"
)
#: A loop that carries its last loss, with the loss outside and inside of the tape.
CARRIED = (
    "for x, y in data:\n    with tf.GradientTape() as tape:\n        out = model(x, training=True)\n    {0}loss = {1}\n    "
    + APPLY.format("loss")
    + "\nprint(float(loss))\n"
)
LOSSES = ("mse(y, out)", "tf.reduce_mean(tf.square(out - y))")
#: A function that asks the tape for one model, called for two.
ASKED = (
    "def ask(tape, loss, net):\n    return tape.gradient(loss, net.trainable_variables)\n\n\n"
    "for x, y in data:\n    with tf.GradientTape({0}) as tape:\n        first, second = mse(y, model(x)), mse(y, other(x))\n"
    "    grads = ask(tape, first, model)\n    more = {1}\n    print(grads, more)\n"
)
SECOND = "ask(tape, second, other)"
PAIRS = [(CARRIED.format("", loss), CARRIED.format("    ", loss)) for loss in LOSSES] + [
    (ASKED.format("", SECOND), ASKED.format("persistent=True", SECOND)),
    (ASKED.format("", SECOND), ASKED.format("", "first + second")),
]
#: What a loop leaves is not what was computed in one of its passes: it may have had none.
WORKING = (
    "loss = tf.constant(0.0)\nfor x, y in data:\n    with tf.GradientTape() as tape:\n"
    "        for part in tf.split(x, 2):\n            loss = tf.reduce_mean(model(part))\n    " + APPLY.format("loss"),
    "for x, y in data:\n    with tf.GradientTape() as tape:\n        loss = mse(y, model(x))\n    "
    + APPLY.format("loss")
    + "\n    loss = loss * 2\nprint(float(loss))",
)


@pytest.mark.parametrize("form", FORMS)
def test_faults_in_every_form_and_silence_about_repaired_twins(form: str, tmp_path: Path) -> None:
    for faulty, repaired in PAIRS:
        for body, expected in ((faulty, True), (repaired, False)):
            told = found(FORMS[form](Case("DLO117", IMPORTS, SETUP, body, NAMES)), tmp_path, ("DLO117",))
            assert ("DLO117" in told) is expected, (body, told)


@pytest.mark.parametrize("form", FORMS)
def test_working_code_that_looks_alike_is_silent(form: str, tmp_path: Path) -> None:
    for body in WORKING:
        assert found(FORMS[form](Case("DLO117", IMPORTS, SETUP, body, NAMES)), tmp_path, ("DLO117",)) == [], body
