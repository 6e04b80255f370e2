"""Callbacks and schedules of Keras that a script makes and gives to no `fit` and no optimizer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS: Final = "import numpy as np\nfrom tensorflow import keras"
SETUP: Final = (
    "class Slower(keras.callbacks.Callback):\n    def __init__(self, by):\n        super().__init__()\n        self.by = by\n\n"
    "    def on_epoch_end(self, epoch, logs=None):\n        self.model.optimizer.learning_rate = 0.1 / self.by\n\n\n"
    "x, y = np.zeros((8, 4)), np.zeros((8, 1))\n"
    "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])\n"
    "def made():\n    return {made}\n"
)
#: What is made, and where it belongs.
MADE: Final = {
    "schedule": "keras.callbacks.LearningRateScheduler(lambda epoch: 0.1 / (1 + epoch))",
    "plateau": "keras.callbacks.ReduceLROnPlateau(patience=2)",
    "stop": "keras.callbacks.EarlyStopping(patience=3)",
    "checkpoint": "keras.callbacks.ModelCheckpoint('best.keras')",
    "own class": "Slower(2)",
}
COMPILED: Final = "model.compile(keras.optimizers.SGD(0.1), 'mse')\n"
FIT: Final = "model.fit(x, y, validation_split=0.5{callbacks})"


def is_told(body: str, form: str, folder: Path, made: str = "None") -> bool:
    case = Case("DLO112", IMPORTS, SETUP.format(made=made), COMPILED + body, ("model", "x", "y", "made", "Slower"))
    return bool(found(FORMS[form](case), folder, ("DLO112",)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", MADE)
def test_callbacks_that_no_fit_gets(kind: str, form: str, tmp_path: Path) -> None:
    made = f"late = {MADE[kind]}\n"
    others = f"{made}others = [keras.callbacks.CSVLogger('log.csv')]\n"
    assert is_told(made + FIT.format(callbacks=""), form, tmp_path)
    assert is_told(others + FIT.format(callbacks=", callbacks=others"), form, tmp_path)
    assert is_told("late = made()\n" + FIT.format(callbacks=""), form, tmp_path, MADE[kind])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "rest",
    [
        FIT.format(callbacks=", callbacks=[late]"),
        FIT.format(callbacks=", callbacks=late"),
        "others = []\nothers.append(late)\n" + FIT.format(callbacks=", callbacks=others"),
        "late.set_model(model)\n" + FIT.format(callbacks=""),
        FIT.format(callbacks=", callbacks=[]"),
        FIT.format(callbacks=", callbacks=None"),
        FIT.format(callbacks="") + "  # callbacks=[late] stops too early",
        "print(model.predict(x))",
        "print(model.evaluate(x, y))",
    ],
)
def test_callbacks_that_are_given_or_left_out_on_purpose(rest: str, form: str, tmp_path: Path) -> None:
    assert not is_told(f"late = {MADE['stop']}\n{rest}", form, tmp_path)


RATE: Final = "rate = keras.optimizers.schedules.ExponentialDecay(0.1, 100, 0.9)\n"


@pytest.mark.parametrize("form", FORMS)
def test_schedules_that_no_optimizer_gets(form: str, tmp_path: Path) -> None:
    fit = FIT.format(callbacks="")
    assert is_told(RATE + fit, form, tmp_path)
    assert not is_told(f"{RATE}model.compile(keras.optimizers.SGD(rate), 'mse')\n{fit}", form, tmp_path)
