"""The element types of TensorFlow 1's variables by initializer; TensorFlow is asked."""

from __future__ import annotations

import itertools

import pytest

from tests.lower.tracing import lower

INITIALIZERS = {
    "tf.constant_initializer(0)": "[]", "tf.constant_initializer(0, dtype=tf.int32)": "[]",
    "tf.constant_initializer(0.5)": "[]", "tf.constant_initializer([1, 2])": "[2]", "tf.zeros_initializer()": "[3]",
    "tf.ones_initializer()": "[3]", "tf.ones_initializer": "[3]", "tf.constant(0)": None, "tf.constant(0.5)": None,
    "0": None, "0.5": None, "tf.random_normal_initializer()": "[2, 2]", "tf.truncated_normal_initializer(stddev=0.1)": "[2]",
}  # fmt: skip
TYPES = ("", "dtype=tf.int32", "dtype=tf.float64", "dtype=tf.float32")


@pytest.mark.oracle
def test_as_tensorflow_has_it() -> None:
    tf = pytest.importorskip("tensorflow").compat.v1
    known = 0
    for number, ((initializer, shape), dtype) in enumerate(itertools.product(INITIALIZERS.items(), TYPES)):
        options = [f"initializer={initializer}", *([f"shape={shape}"] if shape else []), *([dtype] if dtype else [])]
        call = f"tf.get_variable('v{number}', {', '.join(options)})"
        try:
            with tf.Graph().as_default():
                expected = eval(call, {"tf": tf}).dtype.base_dtype.name
        except (TypeError, ValueError):
            continue
        program = lower(f"import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nv = {call}\n").programs[0]
        made = [op for op in program.ops if op.kind == "variable"]
        assert made, call
        assert not any(op.faults for op in program.ops), call
        claimed = getattr(made[-1].outputs[0].type.dtype, "name", None)
        assert claimed in (expected, None), (call, claimed, expected)
        known += claimed is not None
    assert known > 30


@pytest.mark.parametrize("initializer", ["tf.constant_initializer(0)", "tf.constant_initializer(rate)"])
@pytest.mark.parametrize("rate", ["0", "1"])
def test_a_rate_that_starts_as_a_whole_number_has_an_exponential(initializer: str, rate: str) -> None:
    text = (
        f"import tensorflow as tf\n\ndef build(x, rate={rate}):\n"
        f"    log_rate = tf.get_variable('rate', [], initializer={initializer})\n    return x - tf.exp(log_rate) * x\n"
    )
    assert not any(op.faults for program in lower(text).programs for op in program.ops)


@pytest.mark.parametrize("initializer", ["None", *(name for name, shape in INITIALIZERS.items() if shape == "[3]")])
@pytest.mark.parametrize("shape", ["3", "width", "(3,)", "[3]", "tf.TensorShape(3)"])
def test_one_size_is_a_shape(initializer: str, shape: str) -> None:
    options = "" if initializer == "None" else f", initializer={initializer}"
    text = f"import tensorflow as tf\nwidth = 3\nv = tf.get_variable('v', shape={shape}{options})\ny = v + tf.ones((2, 3))\n"
    assert not any(op.faults for program in lower(text).programs for op in program.ops)
