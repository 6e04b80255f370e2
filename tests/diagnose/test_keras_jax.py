"""Keras on JAX (where it is installed): compiled steps are seen, and come to the same results."""

from __future__ import annotations

import json

import pytest

from dllint.diagnose.records import RunRecord
from dllint.diagnose.serial import from_json
from tests.diagnose.test_keras_results import SAVING
from tests.diagnose.test_keras_symptoms import FIT, LOSS
from tests.diagnose.test_torch_symptoms import place, position

pytestmark = pytest.mark.oracle


@pytest.fixture
def framework():
    return "keras-jax"


@pytest.mark.thorough
def test_a_run_gives_the_same_bits(tmp_path, run_in_fork):
    folder = tmp_path / "project"
    folder.mkdir()
    text = FIT.replace("EPOCHS", "7") + "model.train_on_batch(x[:32], y[:32])\n"
    (folder / "train.py").write_text(text + SAVING.replace(", float(keras.ops.convert_to_numpy(keras.random.uniform(())))", ""))
    contents = []
    for command in ([], ["diagnose"]):
        saved = tmp_path / f"{len(contents)}.bin"
        status, out, err = run_in_fork([*command, "train.py", str(saved)], folder, plain=not command)
        assert status == 0, out + err
        contents.append(saved.read_bytes())
    assert contents[0] == contents[1]


def test_what_is_seen_of_a_step(diagnose, tmp_path):
    path = tmp_path / "record.json"
    run = diagnose(FIT.replace("EPOCHS", "2"), "--record", str(path))
    record = from_json(RunRecord, json.loads(path.read_text()))
    first = record.steps[0]
    kernel = first.parameters["Sequential.dense.kernel"]
    assert run.codes == []
    assert {layer.rpartition(".")[2] for layer in first.layers} >= {"dense", "batch_normalization", "dropout", "dense_1"}
    assert min(kernel.weight, kernel.gradient, kernel.update) > 0
    assert first.batch.tensors[0].shape == (32, 8)
    assert len(record.losses[0].values) == record.tracks[0].steps == 12


OWN_STEP = "\n    def train_step(self, state, data):\n        return super().train_step(state, data)"


@pytest.mark.parametrize("step", ["", OWN_STEP])
def test_an_operation_that_gives_infinity_is_told_at_its_line(step, diagnose):
    entropy = """def entropy(target, p):
    return -ops.mean(ops.one_hot(ops.cast(target, "int32"), 2) * ops.log(ops.relu(p)))

class Own(keras.Sequential):
    title = ""STEP

model = Own("""
    text = FIT.replace("EPOCHS", "1").replace(f"loss={LOSS}", "loss=entropy")
    text = text.replace("model = keras.Sequential(", entropy.replace("STEP", step))
    run = diagnose(text)
    assert place(run.findings[run.codes.index("DLX101")]) == position(text, "ops.log(ops.relu(p))")


@pytest.mark.thorough
def test_a_bad_gradient_is_told_at_the_operation_of_the_forward_pass(diagnose):
    size = """class Size(keras.layers.Layer):
    def call(self, inputs):
        return ops.sqrt(ops.sum(ops.square(inputs), axis=1, keepdims=True))

model = keras.Sequential([
    keras.layers.Dense(4), Size(),"""
    text = FIT.replace("EPOCHS", "1").replace("y = (x", "x[5] = 0\ny = (x").replace("model = keras.Sequential([", size)
    run = diagnose(text.replace("batch_size=32", "batch_size=256"))
    assert place(run.findings[run.codes.index("DLX101")]) == position(text, "ops.sqrt(")
