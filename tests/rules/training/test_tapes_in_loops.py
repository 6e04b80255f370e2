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
#: A loop behind the tape, each pass of which asks it.
PASSES = "{0}for x, y in data:\n    with tf.GradientTape({1}) as tape:\n        loss = mse(y, model(x) + other(x))\n    {2}\n"
LATER = (
    "for net in (model, other):\n        print(tape.gradient(loss, net.trainable_variables))",
    "for part, rate in zip([model, other], (0.1, 0.2)):\n        print(rate, tape.gradient(loss, part.trainable_variables))",
    "for weight in model.trainable_variables:\n        print(tape.gradient(loss, [weight]))",
    "each(tape, loss, [model, other])",
)
EACH = "def each(kept, value, nets):\n    for net in nets:\n        print(kept.gradient(value, net.trainable_variables))\n\n\n"
ASKED_IN_PASSES = [(PASSES.format(EACH, "", later), PASSES.format(EACH, "persistent=True", later)) for later in LATER]
#: What a loop leaves is not what was computed in one of its passes: it may have had none.
WORKING = (
    "loss = tf.constant(0.0)\nfor x, y in data:\n    with tf.GradientTape() as tape:\n"
    "        for part in tf.split(x, 2):\n            loss = tf.reduce_mean(model(part))\n    " + APPLY.format("loss"),
    "for x, y in data:\n    with tf.GradientTape() as tape:\n        loss = mse(y, model(x))\n    "
    + APPLY.format("loss")
    + "\n    loss = loss * 2\nprint(float(loss))",
)


ASKED_ONCE = (
    PASSES.format(EACH, "", "each(tape, loss, [model])"),
    PASSES.format("", "", LATER[2] + "\n        break"),
    PASSES.format("", "", LATER[0].replace("    print", "    if net is other:\n            print")),
    "for net in (model, other):\n    for x, y in data:\n        with tf.GradientTape() as tape:\n"
    "            loss = mse(y, net(x))\n        print(tape.gradient(loss, net.trainable_variables))",
)


@pytest.mark.parametrize("number", range(8))
def test_tapes_asked_in_the_passes_of_a_loop_behind_them(number: int, tmp_path: Path) -> None:
    form = FORMS[sorted(FORMS)[5 * number % len(FORMS)]]
    for body, expected in zip((*ASKED_IN_PASSES[number % 4], ASKED_ONCE[number % 4]), (True, False, False), strict=True):
        told = found(form(Case("DLO117", IMPORTS, SETUP, body, NAMES)), tmp_path, ("DLO117",))
        assert ("DLO117" in told) is expected, (body, told)


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
