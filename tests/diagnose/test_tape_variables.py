"""Variables that a loop around a tape leaves out: the model's are proposed, however the loop is written."""

from __future__ import annotations

import pytest

from dllint.diagnose.causes.case import Case, Sources
from dllint.diagnose.causes.keras.tape_variables import TapeVariables
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import OptimizerRecord, RunRecord, TrackRecord
from dllint.diagnose.symptoms.unchanged_weight import UnchangedWeight
from dllint.edit import apply_edits

LOOP = """
import keras
import tensorflow as tf

optimizer = keras.optimizers.Adam(0.01)


def step({name}, head, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(({name}(x, training=True) - y) ** 2)
{rest}
"""
RESTS = {
    "twice": (
        "    gradients = tape.gradient(loss, head.trainable_variables)\n"
        "    optimizer.apply_gradients(zip(gradients, head.trainable_variables))"
    ),
    "named": (
        "    left = head.trainable_variables\n    gradients = tape.gradient(loss, left)\n    optimizer.apply(gradients, left)"
    ),
    "by keyword": (
        "    gradients = tape.gradient(loss, sources=head.weights)\n    optimizer.apply_gradients(zip(gradients, head.weights))"
    ),
    "a sum": (
        "    g = tape.gradient(loss, head.trainable_variables + [bias])\n"
        "    optimizer.apply_gradients(zip(g, head.trainable_variables + [bias]))"
    ),
}


def case(text, cause="not in optimizer", frameworks=("keras", "tensorflow")):
    place = SourcePlace("/train.py", 5, 13, 5, 40)
    track = TrackRecord("Adam", OptimizerRecord("Adam", place), 100)
    run = RunRecord(frameworks, (track,), (), (), (), (), (), (), (), "finished", 1.0, 0.0)
    symptom = UnchangedWeight().found("No optimizer has the weights of Model.dense", place, cause=cause)
    return Case(symptom, run, Sources(lambda path: text))


@pytest.mark.parametrize("name", ["model", "network"])
@pytest.mark.parametrize("rest", RESTS)
def test_the_variables_of_the_model_are_proposed(rest, name):
    text = LOOP.format(name=name, rest=RESTS[rest])
    _, edits, _ = next(TapeVariables().repairs(case(text)))
    after = apply_edits(text, list(edits))

    assert after.count(f"{name}.trainable_variables") == 2
    compile(after, "train.py", "exec")


@pytest.mark.parametrize("changed", [{"cause": "their gradient is zero"}, {"frameworks": ("torch",)}])
def test_other_causes_and_frameworks_are_left(changed):
    text = LOOP.format(name="model", rest=RESTS["twice"])

    assert list(TapeVariables().repairs(case(text, **changed))) == []
