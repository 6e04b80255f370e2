"""Causes and tried repairs of Keras programs, on both backends."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.oracle

BEGIN = """
import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(0)
"""

#: The program of the forum question that DeepDiagnosis begins with, on other data.
ONE_UNIT = """
x = np.random.randn(256, 8).astype("float32")
y = (x[:, 0] + x[:, 1] > 0).astype("float32")
model = keras.Sequential()
model.add(layers.Dense(32, activation="relu"))
model.add(layers.Dropout(0.2))
model.add(layers.Dense(1, activation="softmax"))
model.compile(loss="binary_crossentropy", optimizer="rmsprop")
model.fit(x, y, epochs=12, batch_size=32, verbose=0)
"""


@pytest.fixture(params=["keras-torch", "keras-tensorflow"])
def framework(request):
    return request.param


def recommended(done):
    """The first remedies of all findings that were tried and found good."""
    firsts = [finding["fixes"][0] for finding in done.findings if finding["fixes"]]
    return [fix for fix in firsts if fix["tested"] and fix["removed_symptom"]]


def test_a_softmax_over_one_unit_is_replaced_and_measured_by_ranking(diagnose):
    done = diagnose(BEGIN + ONE_UNIT, replay=True)
    best = recommended(done)[0]
    assert best["edits"][0]["content"] == '"sigmoid"'
    assert best["measure"] == "area under the ROC curve"
    assert best["before"] == 0.5
    assert best["after"] > 0.75
