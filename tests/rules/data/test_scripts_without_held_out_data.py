"""Scripts that train in every structural form, and never look at other data."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.rules.data.no_validation import NoValidation
from tests.rules.training.variants import FORMS, Case, found

KERAS = "import keras\nimport numpy as np"
SETUP = """x, y = np.loadtxt('x.txt'), np.loadtxt('y.txt')
model = keras.Sequential([keras.layers.Dense(4, activation='relu'), keras.layers.Dense(1)])
model.compile(loss='mse', optimizer='adam')"""
NAMES = ("x", "y", "model")
BODIES = {
    "model.fit(x, y)": True,
    "model.fit(x, y, epochs=3, batch_size=8)": True,
    "model.fit(x, y, validation_split=0.1)": False,
    "model.fit(x[:80], y[:80], validation_data=(x[80:], y[80:]))": False,
    "model.fit(x, y)\nmodel.evaluate(x, y)": False,
    "model.fit(x, y)\nshown = model.predict(x)": False,
}


@pytest.mark.parametrize("form", list(FORMS)[::3])
@pytest.mark.parametrize("body", BODIES)
def test_a_script_that_fits(body: str, form: str, tmp_path: Path) -> None:
    case = Case("DLD108", KERAS, SETUP, body, NAMES)
    assert ("DLD108" in found(FORMS[form](case), tmp_path, ["DLD108"])) is BODIES[body]


def test_it_is_off_unless_it_is_selected() -> None:
    assert NoValidation.default == "off"
