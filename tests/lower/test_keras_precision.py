"""Element types of Keras layers under policies: those of real Keras."""

from __future__ import annotations

import pytest

from dllint.domains.dtype import DType
from dllint.ir.program import TensorVal
from tests.lower.tracing import values

LAYERS = [
    "Dense(4)", "Dense(4, activation='softmax')", "Dense(4, dtype='float32')", "Activation('relu')", "Dropout(0.5)",
    "LayerNormalization()", "BatchNormalization()", "Reshape((8, 1))", "Dense(4, dtype='bfloat16')",
    "Dense(4, dtype='float64')", "Activation('softmax', dtype='float32')", "Flatten()", "ReLU()",
    "Dense(4, dtype=keras.DTypePolicy('mixed_float16'))",
]  # fmt: skip
SETTINGS = [
    "pass",
    "keras.config.set_dtype_policy('mixed_float16')",
    "keras.mixed_precision.set_global_policy('mixed_bfloat16')",
    "keras.config.set_floatx('float16')",
]


@pytest.mark.oracle
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("layer", LAYERS)
def test_types_are_those_of_keras(layer: str, setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    import keras
    from keras.src.backend.common import global_state

    global_state.set_global_attribute("dtype_policy", None)
    text = f"import keras\n{setting}\nx = keras.Input((8,))\ny = keras.layers.{layer}(x)\n"
    names: dict[str, object] = {}
    try:
        exec(text, names)
    finally:
        keras.config.set_floatx("float32")
        global_state.set_global_attribute("dtype_policy", None)
    found = values(text)["y"]
    assert isinstance(found, TensorVal)
    assert isinstance(found.dtype, DType)
    assert found.dtype.name == names["y"].dtype  # type: ignore[attr-defined]


def test_layers_of_tensorflow_1_compute_in_the_type_of_their_input() -> None:
    found = values("""
    import tensorflow as tf

    slim = tf.contrib.slim
    x = tf.placeholder(tf.float16, [2, 8, 8, 3])
    a = slim.conv2d(x, 4, [3, 3])
    b = tf.layers.dense(x, 4)
    c = tf.layers.dense(tf.cast(x, tf.float32), 4)
    """)
    assert [found[name].dtype.name for name in "abc"] == ["float16", "float16", "float32"]


def test_settings_can_be_asked_for() -> None:
    found = values("""
    import keras

    before = keras.backend.floatx(), keras.backend.epsilon()
    keras.backend.set_floatx("float16")
    keras.backend.set_epsilon(1e-4)
    after = keras.backend.floatx(), keras.backend.epsilon()
    policy = keras.mixed_precision.Policy("mixed_float16").compute_dtype
    layer = keras.layers.Dense(4, dtype="float64").compute_dtype
    """)
    assert found["before"] == ("float32", 1e-07)
    assert found["after"] == ("float16", 1e-4)
    assert (found["policy"], found["layer"]) == ("float16", "float64")


def test_a_layer_of_the_program_gets_its_inputs_in_its_precision() -> None:
    found = values("""
    import keras

    class Half(keras.layers.Layer):
        def call(self, x):
            return x * 2

    y = Half(dtype="mixed_float16")(keras.Input((8,)))
    z = Half()(keras.Input((8,)))
    """)
    assert (found["y"].dtype.name, found["z"].dtype.name) == ("float16", "float32")
