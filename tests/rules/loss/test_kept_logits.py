"""``from_logits=True`` on probabilities: an error where Keras applies the activation twice, information where TensorFlow takes
the logits that it keeps, held against Keras on TensorFlow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Severity

PROGRAM = """import keras
from keras import layers
import numpy as np


given = keras.Input((5,))
model = {model}
x = np.linspace(-2, 2, 40).reshape(8, 5).astype("float32")
y = {labels}
loss = keras.losses.{loss}(from_logits=True)
model.compile("sgd", loss=loss)
"""
MODELS = {
    "functional": 'keras.Model(given, layers.Dense({units}, activation="{activation}")(given))',
    "layer of its own": 'keras.Sequential([given, layers.Dense({units}), layers.Activation("{activation}")])',
    "reshaped": 'keras.Model(given, layers.Reshape(({units},))(layers.Dense({units}, activation="{activation}")(given)))',
}
LOSSES = {
    "BinaryCrossentropy": ("sigmoid", 1, "np.array([[0.0], [1.0]] * 4)"),
    "CategoricalCrossentropy": ("softmax", 3, "np.eye(3)[[0, 1, 2, 0, 1, 2, 0, 1]]"),
    "SparseCategoricalCrossentropy": ("softmax", 3, "np.array([0, 1, 2, 0, 1, 2, 0, 1])"),
}
CASES = [(model, loss) for model in MODELS for loss in LOSSES]


def program(model: str, loss: str) -> str:
    activation, units, labels = LOSSES[loss]
    built = MODELS[model].format(units=units, activation=activation)
    return PROGRAM.format(units=units, activation=activation, labels=labels, loss=loss, model=built)


def severities(text: str, folder: Path) -> list[Severity]:
    (folder / "main.py").write_text(text, encoding="utf-8")
    session = Session(Configuration(isolated=True, overrides={"select": ("DLL102",)}))
    return [finding.severity for finding in session.check_file(folder / "main.py").findings]


@pytest.fixture(scope="module")
def twice() -> dict[tuple[str, str], bool]:
    """Whether Keras on TensorFlow applies the activation a second time."""
    pytest.importorskip("tensorflow")
    asked = """
right = keras.losses.{0}()(y, np.array(model(x)))
print("TWICE", abs(float(right) - model.evaluate(x, y, verbose=0)) > 1e-3)
"""
    seeded = "import keras\nkeras.utils.set_random_seed(1)\n"  # of some weights, both activations give nearly one loss
    text = seeded + "".join(program(*case) + asked.format(case[1]) for case in CASES)
    environment = os.environ | {"KERAS_BACKEND": "tensorflow"}
    done = subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True, check=True)
    told = [line.partition(" ")[2] == "True" for line in done.stdout.splitlines() if line.startswith("TWICE")]
    return dict(zip(CASES, told, strict=True))


@pytest.mark.parametrize(("model", "loss"), CASES)
def test_it_is_an_error_where_the_activation_is_applied_twice(
    model: str, loss: str, twice: dict[tuple[str, str], bool], tmp_path: Path
) -> None:
    wanted = Severity.ERROR if twice[model, loss] else Severity.INFO
    assert severities(program(model, loss), tmp_path) == [wanted]


@pytest.mark.parametrize("backend", ["torch", "jax"])
@pytest.mark.parametrize("setting", ['os.environ["KERAS_BACKEND"] = "{0}"', "os.environ.setdefault('KERAS_BACKEND', '{0}')"])
@pytest.mark.parametrize(("model", "loss"), CASES)
def test_other_backends_keep_no_logits(model: str, loss: str, setting: str, backend: str, tmp_path: Path) -> None:
    text = f"import os\n{setting.format(backend)}\n{program(model, loss)}"
    assert severities(text, tmp_path) == [Severity.ERROR]
