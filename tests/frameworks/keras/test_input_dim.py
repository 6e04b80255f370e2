"""``input_dim`` and ``input_length`` of the first layer: the features of a sample, or of each step of a sequence."""

from __future__ import annotations

import pytest

from tests.frameworks.keras.conftest import shapes_of

SEQUENCES = {"LSTM": "LSTM(6", "GRU": "GRU(6", "SimpleRNN": "SimpleRNN(6", "Conv1D": "Conv1D(6, 2"}
LENGTHS = {"": None, ", input_length=7": 7}


def faulty(text, trace):
    return [op.kind for program in trace(text).programs for op in program.ops if op.faults]


@pytest.mark.parametrize(
    "way", ["m = Sequential([{layer}, Dense(1)])\n", "m = Sequential()\nm.add({layer})\nm.add(Dense(1))\n"]
)
@pytest.mark.parametrize(("written", "steps"), LENGTHS.items())
@pytest.mark.parametrize("layer", SEQUENCES.values(), ids=SEQUENCES)
def test_a_layer_of_sequences_has_steps_and_features(layer, written, steps, way, trace):
    text = way.format(layer=f"{layer}, input_dim=3{written})")
    assert faulty(text + "m.predict(np.zeros((4, 7, 3)))\n", trace) == []
    assert faulty(text + "m.predict(np.zeros((4, 7, 2)))\n", trace) != []
    assert faulty(text + "m.predict(np.zeros((4, 3)))\n", trace) != []
    assert shapes_of(trace(text + "out = m.input\n").module.attrs["out"])[1:] in ([steps, 3], (steps, 3))


@pytest.mark.parametrize("layer", ["Dense(6", "Dense(units=6, activation='relu'"])
def test_another_layer_has_features_only(layer, trace):
    text = f"m = Sequential([{layer}, input_dim=3), Dense(1)])\n"
    assert faulty(text + "m.predict(np.zeros((4, 3)))\n", trace) == []
    assert faulty(text + "m.predict(np.zeros((4, 7, 3)))\n", trace) != []
