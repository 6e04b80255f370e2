"""Keras models on both sides, and what TensorFlow deploys."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from dllint.bisection.candidates.setting import Setting
from dllint.bisection.candidates.table import candidate_of
from dllint.bisection.errors import BisectionError
from dllint.bisection.references.table import reference_of
from dllint.bisection.spec import load

pytestmark = pytest.mark.oracle
keras = pytest.importorskip("keras")

X = np.random.default_rng(0).normal(size=(12, 6)).astype(np.float32)


def branched(batch=None):
    keras.utils.set_random_seed(0)
    x = keras.Input((6,), batch_size=batch, name="x")
    shared = keras.layers.Dense(6, activation="tanh", name="shared")
    h = shared(shared(x))
    h = keras.layers.Dropout(0.5, name="drop")(h)
    h = keras.layers.Add(name="join")([h, x])
    return keras.Model(x, keras.layers.Dense(3, name="head")(keras.layers.BatchNormalization(name="norm")(h * 2.0)))


@pytest.mark.parametrize("batch", [None, 5])
def test_a_functional_model_runs_from_wherever_values_are_put_in(batch):
    model = branched(batch)
    reference = reference_of(model, [X], "cpu")
    names = [node.name for node in reference.graph.nodes]
    assert {"x", "shared", "shared_call1", "drop", "join", "norm", "head"} <= set(names)
    assert reference.graph["join"].inputs == ("drop", "x")
    values = reference.run({"x": X}, {}, ["join", "head"])
    if batch is None:
        np.testing.assert_allclose(values["head"], keras.ops.convert_to_numpy(model(X)), atol=1e-6)
    np.testing.assert_allclose(values["head"][:5], keras.ops.convert_to_numpy(model(X[:5])), atol=1e-6)
    again = reference.run({"x": X * 0}, {"join": values["join"]}, ["head"])["head"]
    np.testing.assert_allclose(again, values["head"], atol=1e-6)
    assert reference.weight(reference.graph["head"].weights[0]).shape == (6, 3)


def test_sequential_models_and_files(tmp_path):
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(4), keras.layers.ReLU(), keras.layers.Dense(2)])
    model.save(tmp_path / "m.keras")
    reference = reference_of(model, [X], "cpu")
    candidate = candidate_of("m.keras", Setting(tmp_path, "cpu", model, reference, [X]))
    found = candidate.run({candidate.inputs[0]: X}, candidate.outputs)[candidate.outputs[0]]
    np.testing.assert_allclose(found, keras.ops.convert_to_numpy(model(X)), atol=1e-6)
    (tmp_path / "broken.keras").write_bytes(b"nothing")
    with pytest.raises(BisectionError, match="Keras cannot load"):
        candidate_of("broken.keras", Setting(tmp_path, "cpu", model, reference, [X]))


def test_subclassed_models_are_told_apart():
    class Own(keras.Model):
        def call(self, x):
            return x

    with pytest.raises(BisectionError, match="no functional or sequential"):
        reference_of(Own(), [X], "cpu")


@pytest.fixture(scope="module")
def deployed():
    tf = pytest.importorskip("tensorflow")

    class Deployed(tf.Module):
        def __init__(self):
            super().__init__()
            generator = np.random.default_rng(1)
            self.first = tf.Variable(generator.normal(size=(6, 5)).astype(np.float32))
            self.second = tf.Variable(generator.normal(size=(5, 3)).astype(np.float32))

        @tf.function(input_signature=[tf.TensorSpec((None, 6), tf.float32, name="x")])
        def serve(self, x):
            return {"y": tf.nn.relu(x @ self.first) @ self.second}

    return tf, Deployed()


def expected(module) -> np.ndarray:
    return np.maximum(X @ module.first.numpy(), 0) @ module.second.numpy()


def test_a_saved_model_by_its_signature(deployed, tmp_path):
    tf, module = deployed
    tf.saved_model.save(module, str(tmp_path / "saved"), signatures=module.serve)
    candidate = candidate_of("saved", Setting(tmp_path, "cpu", None, None, [X]))
    assert (candidate.inputs, candidate.outputs) == (["x"], ["y"])
    np.testing.assert_allclose(candidate.run({"x": X}, ["y"])["y"], expected(module), atol=1e-5)


def test_tflite_keeps_all_tensors(deployed, tmp_path):
    tf, module = deployed
    if not hasattr(tf, "lite"):
        pytest.skip("this TensorFlow has no tf.lite")
    converter = tf.lite.TFLiteConverter.from_concrete_functions([module.serve.get_concrete_function()], module)
    (tmp_path / "m.tflite").write_bytes(converter.convert())
    candidate = candidate_of("m.tflite", Setting(tmp_path, "cpu", None, None, [X]))
    assert candidate.batch is None
    found = candidate.run({candidate.inputs[0]: X}, [candidate.observables[0].name, *candidate.outputs])
    np.testing.assert_allclose(found[candidate.outputs[0]], expected(module), atol=1e-5)
    np.testing.assert_allclose(found[candidate.observables[0].name], np.maximum(X @ module.first.numpy(), 0), atol=1e-5)
    kernels = [candidate.weight(name) for name in candidate.observables[0].weights]
    assert any(kernel is not None and kernel.shape == (5, 6) for kernel in kernels)


#: How a Dense layer named ``wanted`` may be made and called; ``#!`` marks the line, ``@`` stands before the column.
_WAYS = {
    "made and called in one": """
        def model(x):
            return @keras.layers.Dense(3, name="wanted")(x)  #!
    """,
    "called behind": """
        def model(x):
            layer = keras.layers.Dense(3, name="wanted")
            y = keras.layers.ReLU()(x)
            return @layer(y)  #!
    """,
    "in a helper, in a loop, two in a line": """
        def block(x, layers):
            for one, other in layers:
                x = one(@other(x))  #!
            return x
        def model(x):
            return block(x, [(keras.layers.ReLU(), keras.layers.Dense(3, name="wanted"))])
    """,
    "in a row": """
        def model(x):
            rows = [keras.layers.ReLU(),
                @keras.layers.Dense(3, name="wanted"),  #!
            ]
            inner = keras.Sequential(rows)
            inner(x)
            return inner
    """,
}


@pytest.mark.parametrize("way", _WAYS)
def test_a_layer_has_the_line_of_its_call(way, tmp_path):
    lines = textwrap.dedent(_WAYS[way]).strip().splitlines()
    line = next(i for i, text in enumerate(lines) if "#!" in text)
    column = lines[line].index("@") + 1
    source = "import keras\n" + "\n".join(lines).replace("@", "")
    source += "\nx = keras.Input((6,))\ny = model(x)\nreference = y if isinstance(y, keras.Model) else keras.Model(x, y)"
    (tmp_path / "spec.py").write_text(source + "\ncandidate = 'm.keras'\nsamples = []\n")
    model = load(tmp_path / "spec.py").reference
    place = reference_of(model, [X], "cpu").graph["wanted"].place
    assert (place.path, place.line, place.column) == (tmp_path / "spec.py", line + 2, column)


def test_a_loaded_model_has_no_lines(tmp_path):
    branched().save(tmp_path / "m.keras")
    (tmp_path / "spec.py").write_text(
        "import keras\nreference = keras.saving.load_model('m.keras')\ncandidate = 'm.keras'\nsamples = []\n".replace(
            "'m.keras'", repr(str(tmp_path / "m.keras"))
        )
    )
    graph = reference_of(load(tmp_path / "spec.py").reference, [X], "cpu").graph
    assert not [node.name for node in graph.nodes if node.place]
