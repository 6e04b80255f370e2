"""Test files that ``--write-tests`` writes for Keras models, on both backends."""

from __future__ import annotations

import pytest

from tests.diagnose.test_written_tests import edited, failed, outcomes, write

__all__ = ["outcomes", "write"]
pytestmark = pytest.mark.oracle

SOUND = """
import numpy as np
import keras

keras.utils.set_random_seed(0)
x = np.random.randn(256, 8).astype("float32")
y = (x[:, 0] > 0).astype("int32")
model = keras.Sequential([
    keras.layers.Dense(16, activation="relu"),
    keras.layers.BatchNormalization(),
    keras.layers.Dropout(0.1),
    keras.layers.Dense(2),
])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, epochs=3, batch_size=32, verbose=0)
"""
SCALE = ("y = (x", "x[:, 3] = 1\nx *= 255\ny = (x")
SOFTMAX = ("keras.layers.Dense(2)", "keras.layers.Dense(2), keras.layers.Softmax()")


@pytest.fixture(params=["keras-torch", "keras-tensorflow"])
def framework(request):
    return request.param


@pytest.mark.sampled(every=2)
def test_written_tests_pass_on_the_sound_model_and_fail_on_the_faulty_one(write, outcomes):
    assert "wrote tests/test_train.py with" in write(SOUND)
    found = outcomes(SOUND)
    assert (failed(found), len(found) > 15) == ([], True)
    found = outcomes(edited(SOUND, SCALE, SOFTMAX))
    assert set(failed(found)) >= {
        "test_inputs_are_in_range[x]",
        "test_input_columns_say_something[x]",
        "test_output_fits_the_loss",
        "test_model_has_its_layers",
        "test_layer_inputs_are_normalised[Sequential.dense]",
    }
    assert "goes down to" in found["test_inputs_are_in_range[x]"][1]
