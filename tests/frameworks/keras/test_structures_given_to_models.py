"""Structures handed to functional models: what holds anything but tensors is no list of its inputs.

A function that returns a model with its inputs and outputs, of which the caller takes the model only, is the usual way there.
"""

from __future__ import annotations

import itertools

import pytest

from tests.rules.harness import findings

PROGRAM = """
import keras

def built(size, width):
    inputs = keras.Input((size, size, 3))
    outputs = keras.layers.Conv2D(width, 3)(inputs)
    return keras.Model(inputs=inputs, outputs=outputs), inputs, outputs

model, first, _ = built(32, 4)
_, second, _ = built(32, 4)
two = keras.Model([first, second], keras.layers.Concatenate()([model.output, keras.layers.Conv2D(2, 3)(second)]))
other = built(16, 2)
y = {called}
"""
#: Each with one member that is no tensor; the tensors among them have other sizes than the model declares.
STRUCTURES = ("other", "[other]", "(other[1], other[0])", "[other[1], None]", "[other[2], 'mask']", "[other[1], (other[0], 3)]",
              "{'a': other[1], 'b': other[0]}", "list(other)", "[other[0], other[2], other[1]]")  # fmt: skip


@pytest.mark.parametrize("structure", STRUCTURES)
def test_what_holds_other_things_is_not_taken_for_the_inputs(structure: str) -> None:
    for name, more in itertools.product(("model", "two"), ("", ", training=False")):
        text = PROGRAM.format(called=f"{name}({structure}{more})")
        assert "DLT110" not in {found.code for found in findings(text)}, text


@pytest.mark.parametrize("given", ["[other[1], other[1]]", "(other[1], other[1])", "[other[1], second]"])
def test_tensors_of_another_size_are(given: str) -> None:
    assert {found.code for found in findings(PROGRAM.format(called=f"two({given})"))} & {"DLT110", "DLT101", "DLT109"}
