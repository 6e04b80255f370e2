"""Symptoms of Keras programs on both backends, and of loops around tapes, with their lines and columns."""

from __future__ import annotations

import json

import pytest

from dllint.diagnose.records import RunRecord
from dllint.diagnose.serial import from_json
from tests.diagnose.test_torch_symptoms import place, position

pytestmark = pytest.mark.oracle

FIT = """
import numpy as np
import keras
from keras import ops

keras.utils.set_random_seed(0)
x = np.random.randn(256, 8).astype("float32")
y = (x[:, 0] > 0).astype("int32")
model = keras.Sequential([
    keras.layers.Dense(16, activation="relu"),
    keras.layers.BatchNormalization(),
    keras.layers.Dropout(0.1),
    keras.layers.Dense(2),
])
model.compile(
    optimizer=keras.optimizers.Adam(0.01),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(x, y, epochs=EPOCHS, batch_size=32, validation_split=0.25, verbose=0)
"""
LOSS = "keras.losses.SparseCategoricalCrossentropy(from_logits=True)"

TAPE = """
import numpy as np
import keras
import tensorflow as tf

keras.utils.set_random_seed(0)
x = np.random.randn(64, 8).astype("float32")
y = np.random.randint(0, 3, 64)
model = keras.Sequential([
    keras.layers.Dense(16, activation="relu"),
    keras.layers.Dense(3, activation="softmax"),
])
optimizer = keras.optimizers.Adam(0.01)
scale = tf.Variable(1.0)

def step(xb, yb):
    with tf.GradientTape() as tape:
        p = model(xb, training=True)
        loss = -tf.reduce_mean(tf.math.log(p * scale) * tf.one_hot(yb, 3))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss

for epoch in range(8):
    for xb, yb in tf.data.Dataset.from_tensor_slices((x, y)).batch(16):
        step(xb, yb)
    if epoch == 6:
        scale.assign(SCALE)
"""


@pytest.fixture(params=["keras-torch", "keras-tensorflow"])
def framework(request):
    return request.param


@pytest.fixture
def record(tmp_path):
    """Reads what a run with ``--record`` has written."""
    path = tmp_path / "record.json"
    return lambda: from_json(RunRecord, json.loads(path.read_text()))


def fit(epochs=3, **replaced):
    text = FIT.replace("EPOCHS", str(epochs))
    for old, new in replaced.items():
        text = text.replace(*{"loss": (LOSS, new), "hidden": ('keras.layers.Dense(16, activation="relu")', new)}[old])
    return text


def test_a_healthy_model_is_left_alone_and_seen(diagnose, record, tmp_path):
    text = fit(epochs=20)
    done = diagnose(text, "--record", str(tmp_path / "record.json"))
    assert (done.status, done.findings) == (0, []), done.stderr
    run = record()
    assert [(track.key, track.steps) for track in run.tracks] == [("Adam", 120)]
    layers = {layer.name: layer.place for layer in run.layers}
    assert (layers["Sequential.dense_1"].line, layers["Sequential.dense_1"].column) == position(text, "keras.layers.Dense(2)")
    loss = run.losses[0]
    assert (loss.place.line, loss.place.column) == position(text, LOSS)
    assert list(loss.steps) == list(range(1, 121))
    assert {metric.name for metric in run.metrics} >= {"accuracy", "val_accuracy", "val_loss"}
    assert {parameter.optimizer for parameter in run.parameters if parameter.trainable} == {"Adam"}
    sample = run.steps[0]
    assert set(sample.layers) >= {"Sequential.dense", "Sequential.batch_normalization", "Sequential.dropout"}
    assert sample.parameters["Sequential.dense.kernel"].update > 0
    assert sample.parameters["Sequential.dense.kernel"].gradient > 0
    assert [(tensor.role, tensor.shape) for tensor in sample.batch.tensors] == [("input", (32, 8)), ("target", (32,))]


def test_a_logarithm_of_zero_in_a_loss_is_found_where_it_is_taken(diagnose):
    loss = "lambda t, p: -ops.mean(ops.log(ops.softmax(p * 1000)) * ops.one_hot(ops.cast(t, 'int32'), 2))"
    text = fit(loss=loss)
    done = diagnose(text)
    assert done.codes[0] == "DLX101"
    assert place(done.findings[0]) == position(text, "ops.log(")
    assert done.findings[0]["step"] == 1


def test_a_bad_derivative_is_found_at_the_operation_of_the_forward_pass(diagnose):
    text = fit(hidden="keras.layers.Dense(16), keras.layers.Lambda(lambda t: ops.sqrt(t * 0))")
    finding = diagnose(text).findings[0]
    assert finding["code"] == "DLX101"
    assert place(finding) == position(text, "ops.sqrt(")
    assert finding["evidence"]["phase"] == "backward"


def test_bad_data_is_told_as_such(diagnose):
    done = diagnose(fit().replace("y = (x", "x[3, 2] = float('nan')\ny = (x"))
    assert done.findings[0]["evidence"]["where"] == "input"


def test_dead_units_are_found_at_the_layer(diagnose):
    dead = 'keras.layers.Dense(16, activation="relu", bias_initializer=keras.initializers.Constant(-100.0))'
    text = fit(epochs=14, hidden=dead).replace("batch_size=32", "batch_size=192")
    found = [finding for finding in diagnose(text).findings if finding["code"] == "DLX102"]
    assert [place(finding) for finding in found] == [position(text, "keras.layers.Dense(16")]


def test_weights_without_a_gradient_are_found_at_their_layer(diagnose):
    text = fit(hidden="keras.layers.Dense(16), keras.layers.Lambda(lambda t: ops.stop_gradient(ops.relu(t)))")
    found = [finding for finding in diagnose(text).findings if finding["code"] == "DLX105"]
    assert [(finding["layer"], place(finding)) for finding in found] == [
        ("Sequential.dense", position(text, "keras.layers.Dense(16)"))
    ]


def test_frozen_layers_are_no_symptom(diagnose):
    done = diagnose(fit(epochs=8).replace("model.compile(", "model.layers[0].trainable = False\nmodel.compile("))
    assert [finding for finding in done.findings if finding["code"] == "DLX105"] == []


def test_scores_where_a_loss_takes_probabilities_are_found_at_the_loss(diagnose):
    text = fit(epochs=2, loss="'sparse_categorical_crossentropy'")
    found = [finding for finding in diagnose(text).findings if finding["code"] == "DLX113"]
    assert [place(finding) for finding in found] == [position(text, "'sparse_categorical_crossentropy'")]


def test_a_step_of_the_users_own_is_seen(diagnose, framework, record, tmp_path):
    forward = {
        "torch": "loss = self.compute_loss(x, y, self(x, training=True))\n        self.zero_grad()\n        loss.backward()\n"
        "        grads = [w.value.grad for w in weights]\n",
        "tensorflow": "with tf.GradientTape() as tape:\n            loss = self.compute_loss(x, y, self(x, training=True))\n"
        "        grads = tape.gradient(loss, weights)\n",
    }
    own = (
        "import tensorflow as tf\n" * (framework == "keras-tensorflow")
        + "class Own(keras.Sequential):\n    def train_step(self, data):\n        x, y = data\n"
        + f"        weights = self.trainable_weights\n        {forward[framework.rpartition('-')[2]]}"
        + "        self.optimizer.apply(grads, weights)\n        return {'mine': loss}\n\n"
    )
    text = fit(epochs=4).replace('    metrics=["accuracy"],\n', "")
    text = text.replace("keras.Sequential([", "Own([").replace("model = Own", f"{own}model = Own")
    done = diagnose(text, "--record", str(tmp_path / "record.json"))
    run = record()
    assert [track.steps for track in run.tracks] == [24], done.stderr
    assert [loss.place.line for loss in run.losses] == [position(text, "loss = self.compute_loss")[0]]
    assert len(run.losses[0].values) == 24


@pytest.mark.parametrize("framework", ["keras-tensorflow"], indirect=True)
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("scale", ["1.0", "0.0"])
def test_loops_around_tapes(diagnose, record, tmp_path, compiled, scale):
    text = TAPE.replace("SCALE", scale)
    if compiled:
        text = text.replace("def step", "@tf.function\ndef step")
    done = diagnose(text, "--record", str(tmp_path / "record.json"))
    run = record()
    if scale == "0.0":
        assert done.codes == ["DLX101"]
        # The step was not sampled: of a compiled one the operation is not known any more.
        assert compiled or place(done.findings[0])[0] == position(text, "tf.math.log")[0]
        assert run.faults[0].step == 29
    else:
        assert done.findings == []
        assert [(track.key, track.steps) for track in run.tracks] == [("Adam", 32)]
        assert len(run.losses[0].values) == 32 - compiled
        assert run.steps[-1].layers["Sequential.dense"].units.units == 16


@pytest.mark.parametrize("framework", ["keras-tensorflow"], indirect=True)
def test_several_steps_per_call_are_counted_as_one_and_said(diagnose, record, tmp_path):
    text = fit(epochs=4).replace('metrics=["accuracy"],', 'metrics=["accuracy"], steps_per_execution=3,')
    done = diagnose(text, "--record", str(tmp_path / "record.json"))
    assert "steps_per_execution" in done.stderr
    assert record().tracks[0].steps == 8
