"""Of an output of one unit, ``accuracy`` compares with 0.5: a squared error with labels from 0 to 1, as in least-squares
adversarial training, is a classification. Measurements are told."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

START = """import numpy as np
from keras import Input, Sequential
from keras.layers import Conv2D, Dense

yes, no = np.ones({shape}), np.zeros({shape})
model = Sequential([Input({size}), {layers}])
model.compile("adam", loss="{loss}", metrics=["{metric}"])
"""
ROWS = {"shape": "(16, 1)", "size": "(8,)", "layers": 'Dense(16, activation="relu"), Dense(1)'}
MAP = {"shape": "(16, 4, 4, 1)", "size": "(8, 8, 3)", "layers": 'Conv2D(8, 3, activation="relu"), Conv2D(1, 3)'}
WIDE = {"shape": "(16, 3)", "size": "(8,)", "layers": 'Dense(16, activation="relu"), Dense(3)'}
PICTURES = {str(ROWS): "np.random.rand(16, 8)", str(WIDE): "np.random.rand(16, 8)", str(MAP): "np.random.rand(16, 8, 8, 3)"}
BY_FIT = "model.fit({x}, {y})\n"
BY_BATCH = "for step in range(100):\n    model.train_on_batch({x}, {y})\n"
FOLLOWED = "for step in range(100):\n    model.train_on_batch({x}, yes)\n    model.train_on_batch({x}, {y})\n"
SHARES = ["yes", "no", "yes * 0.9", "np.full(yes.shape, 0.1)", "np.reshape(yes, yes.shape)"]
MEASURED = ["np.random.randn(*yes.shape)", "np.random.rand(*yes.shape)", "yes * 20"]


def _is_told(form: dict[str, str], training: str, target: str, loss: str = "mse", metric: str = "accuracy") -> bool:
    text = START.format(loss=loss, metric=metric, **form) + training.format(x=PICTURES[str(form)], y=target)
    return "DLL110" in {finding.code for finding in findings(text)}


@pytest.mark.parametrize("form", [ROWS, MAP])
@pytest.mark.parametrize("training", [BY_FIT, BY_BATCH, FOLLOWED])
@pytest.mark.parametrize("target", SHARES)
def test_labels_from_no_to_yes(form: dict[str, str], training: str, target: str) -> None:
    assert not _is_told(form, training, target)


@pytest.mark.parametrize("form", [ROWS, MAP])
@pytest.mark.parametrize("training", [BY_FIT, BY_BATCH])
@pytest.mark.parametrize("target", MEASURED)
@pytest.mark.parametrize("metric", ["accuracy", "acc", "binary_accuracy"])
def test_measurements(form: dict[str, str], training: str, target: str, metric: str) -> None:
    assert _is_told(form, training, target, "mae", metric)


@pytest.mark.parametrize("training", [BY_FIT, BY_BATCH])
@pytest.mark.parametrize("target", ["np.random.randn(16, 3)", "np.random.rand(16, 3)"])
def test_several_units(training: str, target: str) -> None:
    assert _is_told(WIDE, training, target)


def test_labels_that_are_not_known() -> None:
    """They are told of rows, which a model of measurements gives as a rule, and not of maps of scores."""
    assert _is_told(ROWS, BY_FIT, "np.load('labels.npy')")
    assert not _is_told(MAP, BY_FIT, "np.load('labels.npy')")


@pytest.mark.parametrize("form", [ROWS, MAP])
def test_models_that_are_called_and_not_fitted(form: dict[str, str]) -> None:
    assert not _is_told(form, "scores = model({x})\n", "")
