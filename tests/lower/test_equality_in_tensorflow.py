"""``==`` of tensors: element by element in TensorFlow 2, a question about objects in TensorFlow 1. TensorFlow is asked."""

from __future__ import annotations

import itertools

import pytest

from tests.lower.tracing import lower

TENSORS = {
    "floats": "tf.constant([1.0, 2.0])",
    "three floats": "tf.constant([1.0, 2.0, 3.0])",
    "one float": "tf.constant(1.0)",
    "numbers": "tf.constant([1, 2])",
    "short numbers": "tf.constant([1, 2], tf.int16)",
    "a variable": "tf.Variable([1.0, 2.0])",
    "a variable of numbers": "tf.Variable([1, 2])",
}
ASKED = ("a == b", "a != b", "tf.equal(a, b)", "tf.not_equal(a, b)", "tf.math.equal(a, b)")
GRAPHS = {
    "TensorFlow 1": "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 3])\n",
    "compat": "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n",
    "compat by attribute": "import tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\n",
    "equality alone": "import tensorflow as tf\ntf.compat.v1.disable_tensor_equality()\n",
    "no eager execution": "import tensorflow as tf\ntf.compat.v1.disable_eager_execution()\n",
}


def _has_fault(source: str) -> bool:
    return any(op.faults for program in lower(source).programs for op in program.ops)


@pytest.mark.parametrize("asked", ASKED)
def test_as_tensorflow_answers(asked: str) -> None:
    tf = pytest.importorskip("tensorflow")
    for left, right in itertools.product(TENSORS.values(), repeat=2):
        source = f"a = {left}\nb = {right}\nc = {asked}\n"
        try:
            exec(source, {"tf": tf})
            raises = False
        except (tf.errors.InvalidArgumentError, TypeError, ValueError):
            raises = True
        told = _has_fault("import tensorflow as tf\n" + source)
        assert not told or raises, source
        assert told or not raises or asked in ("a == b", "a != b"), source


@pytest.mark.parametrize("graphs", GRAPHS)
@pytest.mark.parametrize("asked", ["a == b", "a != b", "a in [b]", "a == 3", "[v for v in [a, b] if v == b]", "int(a == b)"])
def test_tensorflow_1_compares_objects(asked: str, graphs: str) -> None:
    for left, right in itertools.product(TENSORS.values(), repeat=2):
        assert not _has_fault(f"{GRAPHS[graphs]}a = {left}\nb = {right}\nc = {asked}\n"), (left, right)


@pytest.mark.parametrize("asked", ["a == b", "[v for v in model.input if v == b]", "a in [b]", "[b, a].index(a)", "b != b"])
@pytest.mark.parametrize("library", ["keras", "tensorflow.keras", "tensorflow.compat.v1.keras"])
def test_inputs_of_models_of_different_shapes_can_be_compared(asked: str, library: str) -> None:
    text = f"""
from {library} import Input, Model
from {library}.layers import Concatenate, Flatten

a, b = Input((2, 3)), Input((2,))
model = Model([a, b], Concatenate()([Flatten()(a), b]))
c = {asked}
"""
    assert not _has_fault(text)
