"""A comprehension that predicts one sample after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import keras\nimport numpy as np"
SETUP = """model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
rows = np.random.rand(100, 8)"""
FAULTY = (
    "print([model.predict(row[None]) for row in rows])",
    "print([float(model.predict(row[None, :], verbose=0)[0, 0]) for row in rows])",
    "scores = np.array([model.predict(np.expand_dims(one, 0))[0] for one in rows])\nprint(scores)",
    "print(sum(model.predict(row.reshape(1, -1))[0, 0] for row in rows))",
)
SOUND = (
    "print(model.predict(rows))",
    "print([score for score in model.predict(rows)])",
    "print([model.predict(part) for part in np.split(rows, 4)])",
    "print([model.predict(rows[:1]) for _ in range(3)])",
)


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("body", FAULTY)
def test_single_samples(form: str, body: str, tmp_path: Path) -> None:
    assert "DLG105" in found(FORMS[form](Case("DLG105", IMPORTS, SETUP, body, ("model", "rows"))), tmp_path, ["DLG105"])


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("body", SOUND)
def test_all_samples(form: str, body: str, tmp_path: Path) -> None:
    assert not found(FORMS[form](Case("DLG105", IMPORTS, SETUP, body, ("model", "rows"))), tmp_path, ["DLG105"])
