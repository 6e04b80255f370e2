"""Layers and models in the graph of a functional Keras model that are frozen or thawed between two trainings."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import keras\nimport numpy as np"
PARTS = {
    "a layer": "part = keras.layers.Dense(16, activation='relu')",
    "a functional model": (
        "inner = keras.Input((8,))\npart = keras.Model(inner, keras.layers.Dense(4)(keras.layers.Dense(16)(inner)))"
    ),
    "a sequence": "part = keras.Sequential([keras.layers.Dense(16), keras.layers.Dense(4)])",
    "a model of a library": (
        "part = keras.applications.MobileNetV2(include_top=False, input_shape=(64, 64, 3), pooling='avg', weights=None)"
    ),
}
MODEL = (
    "shape = {0}\ninput_ = keras.Input(shape)\nhidden = part(input_)\n"
    "model = keras.Model(input_, keras.layers.Dense(1)(hidden))\n"
    "x, y = np.zeros((8, *shape)), np.zeros((8, 1))\nmodel.compile(optimizer='adam', loss='mse')"
)
CHANGE = "part.trainable = False"
LATE = ("model.fit(x, y)\n{0}\nmodel.fit(x, y)", "model.fit(x, y)\n{0}\nmodel.fit(x, y, epochs=2)\nmodel.fit(x, y)")
IN_TIME = (
    "{0}\nmodel.compile(optimizer='adam', loss='mse')\nmodel.fit(x, y)",
    "model.fit(x, y)\n{0}\nmodel.compile(optimizer='adam', loss='mse')\nmodel.fit(x, y)",
    "model.fit(x, y)\nother = keras.layers.Dense(3)\nother.build((None, 4))\nother.trainable = False\nmodel.fit(x, y)",
    "model.fit(x, y)\n{0}\nmodel.predict(x)",
)


def setup(part: str) -> str:
    """A model with a part of one kind."""
    shape = "(64, 64, 3)" if "library" in part else "(8,)"
    return f"{PARTS[part]}\n{MODEL.format(shape)}"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("part", "late"), [*product(PARTS, LATE)])
def test_a_part_is_frozen_too_late(part: str, late: str, form: str, tmp_path: Path) -> None:
    case = Case("DLO115", IMPORTS, setup(part), late.format(CHANGE), ("part", "model", "x", "y"))
    assert "DLO115" in found(FORMS[form](case), tmp_path, ["DLO115"])


@pytest.mark.parametrize(("part", "body"), [*product(PARTS, IN_TIME)])
def test_a_part_is_frozen_in_time(part: str, body: str, tmp_path: Path) -> None:
    text = f"{IMPORTS}\n\n{setup(part)}\n{body.format(CHANGE)}\n"
    assert not found({"main.py": text}, tmp_path, ["DLO115"])
