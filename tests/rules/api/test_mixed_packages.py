"""Objects of two packages called Keras in every structural form."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = {
    "keras, tf_keras": "import keras as ours\nimport tf_keras as theirs",
    "tf_keras, keras": "import tf_keras as ours\nimport keras as theirs",
    "keras, private": "import keras as ours\nfrom tensorflow.python import keras as theirs",
    "tf.keras, private": "from tensorflow import keras as ours\nfrom tensorflow.python import keras as theirs",
    "keras, tf.keras": "import keras as ours\nfrom tensorflow import keras as theirs",
    "tf_keras, tf.keras": "import tf_keras as ours\nfrom tensorflow import keras as theirs",
    "keras, keras": "import keras as ours\nimport keras as theirs",
}
REFUSED = list(IMPORTS)[:4]
UNITED = list(IMPORTS)[4:]
SETUP = "size = 8"
BODIES = {
    "a layer in a row": "model = ours.Sequential([ours.Input((size,)), theirs.layers.Dense(4)])",
    "a layer that is added": "model = ours.Sequential()\nmodel.add(ours.Input((size,)))\nmodel.add(theirs.layers.Dense(4))",
    "an optimizer": "model = ours.Sequential([ours.layers.Dense(4)])\nmodel.compile(theirs.optimizers.Adam(size), loss='mse')",
}
CALLED = "x = ours.Input((size,))\ny = theirs.layers.Dense(4)({})"


@pytest.mark.parametrize("form", list(FORMS)[::2])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("packages", REFUSED)
def test_an_object_is_refused(packages: str, body: str, form: str, tmp_path: Path) -> None:
    case = Case("DLA101", IMPORTS[packages], SETUP, BODIES[body], ("size",))
    assert "DLA101" in found(FORMS[form](case), tmp_path, ["DLA101"])


@pytest.mark.parametrize("between", ["x", "ours.layers.Dense(3)(x)", "ours.layers.Dropout(0.5)(ours.layers.Dense(3)(x))"])
@pytest.mark.parametrize("packages", IMPORTS)
def test_a_layer_is_called_on_a_tensor(packages: str, between: str, tmp_path: Path) -> None:
    case = Case("DLA101", IMPORTS[packages], SETUP, CALLED.format(between), ("size",))
    refused = packages in REFUSED and packages != "tf_keras, keras"  # layers of Keras 3 take tensors of tf_keras
    assert ("DLA101" in found(FORMS["plain"](case), tmp_path, ["DLA101"])) is refused


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("packages", UNITED)
def test_one_package_by_two_names(packages: str, body: str, tmp_path: Path) -> None:
    case = Case("DLA101", IMPORTS[packages], SETUP, BODIES[body], ("size",))
    assert not found(FORMS["plain"](case), tmp_path, ["DLA101"])
