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


@pytest.mark.thorough
@pytest.mark.sampled(every=2)
def test_a_softmax_over_one_unit_is_replaced_and_measured_by_ranking(diagnose):
    done = diagnose(BEGIN + ONE_UNIT, replay=True)
    best = recommended(done)[0]
    assert best["edits"][0]["content"] == '"sigmoid"'
    assert best["measure"] == "area under the ROC curve"
    assert best["before"] == 0.5
    assert best["after"] > 0.75


CLASSES = """
y = np.random.randint(0, 3, 256)
x = (np.random.randn(256, 8) + 2 * np.random.randn(3, 8)[y]).astype("float32")
model = keras.Sequential([layers.Dense(16, HIDDEN), layers.Dense(3, HEAD)])
model.compile(OPTIMIZER, LOSS)
model.fit(x, y, batch_size=32, verbose=0, epochs=EPOCHS)
"""
USUAL = {
    "HIDDEN": '"relu"',
    "HEAD": '"softmax"',
    "OPTIMIZER": '"adam"',
    "LOSS": '"sparse_categorical_crossentropy"',
    "EPOCHS": "4",
}
LOGITS = {"HEAD": "None", "LOSS": "keras.losses.SparseCategoricalCrossentropy(from_logits=True)"}


def classes(**replaced):
    text = BEGIN + CLASSES
    for name, value in {**USUAL, **replaced}.items():
        text = text.replace(name, value)
    return text


@pytest.mark.parametrize("framework", ["keras-torch"], indirect=True)
@pytest.mark.parametrize(
    ("replaced", "symptom", "kind", "edited"),
    [
        ({"HEAD": "None"}, "out of range", "loss-pairing", '"softmax"'),
        ({"HEAD": "None"}, "out of range", "loss-pairing", "losses.SparseCategoricalCrossentropy(from_logits=True)"),
        (
            {"LOSS": "keras.losses.SparseCategoricalCrossentropy(from_logits=True)"},
            "out of range",
            "loss-pairing",
            'layers.Dense(3, "linear")',
        ),
        ({**LOGITS, "OPTIMIZER": "keras.optimizers.SGD(1e9)"}, "numerical error", "learning-rate", "SGD(1e+08)"),
        (
            {**LOGITS, "OPTIMIZER": "keras.optimizers.SGD(1e9)"},
            "numerical error",
            "gradient-clipping",
            "SGD(1e9, global_clipnorm=1.0)",
        ),
        (
            {"LOSS": "lambda t, p: -keras.losses.sparse_categorical_crossentropy(t, p)"},
            "invalid loss",
            "loss-sign",
            "lambda t, p: keras.losses.sparse_categorical_crossentropy(t, p)",
        ),
        (
            {"HIDDEN": '"relu", kernel_initializer="zeros"'},
            "unchanged weight",
            "weight-init",
            'kernel_initializer="he_uniform"',
        ),
    ],
)
def test_keras_sources_are_edited(diagnose, replaced, symptom, kind, edited):
    text = classes(**replaced)
    found = [finding for finding in diagnose(text).findings if finding["symptom"] == symptom]
    assert any(edited in _edited(text, fix) for finding in found for fix in finding["fixes"] if fix["kind"] == kind)


def _edited(text, fix):
    """The text after the edits of a remedy."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:row])) for row in range(len(lines) + 1)]

    def offset(edit, end):
        return starts[edit[end]["row"] - 1] + edit[end]["column"] - 1

    for edit in sorted(fix["edits"], key=lambda edit: -offset(edit, "location")):
        text = text[: offset(edit, "location")] + edit["content"] + text[offset(edit, "end_location") :]
    return text
