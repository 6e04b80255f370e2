"""Elements of data sets: of generators those that the signature states, of other data sets those that a function makes of
them: compared with TensorFlow's ``element_spec``."""

from __future__ import annotations

from typing import Final

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import DictVal, Value
from tests.lower.tracing import values

tensorflow = pytest.importorskip("tensorflow")
pytestmark = pytest.mark.oracle

SIGNATURES: Final = (
    "output_signature=tf.TensorSpec((28, 28), tf.float32)",
    "output_signature=(tf.TensorSpec((28, 28)), tf.TensorSpec(shape=(), dtype=tf.int32))",
    "output_signature=(tf.TensorSpec([None, 3], tf.uint8), tf.TensorSpec(None, tf.string))",
    'output_signature={"x": tf.TensorSpec((None, 3)), "y": tf.TensorSpec((), tf.int64)}',
    "output_types=tf.int64, output_shapes=(None, 4)",
    "output_types=tf.int64, output_shapes=tf.TensorShape([2, None])",
    "output_types=(tf.float32, tf.int64)",
    "output_types=(tf.float32, tf.int64), output_shapes=((28, 28), ())",
    "output_types=(tf.float32, tf.int64), output_shapes=(tf.TensorShape([28, 28]), tf.TensorShape([]))",
    'output_types={"x": tf.float32, "y": tf.int64}, output_shapes={"x": (3,), "y": ()}',
)
CHANGES: Final = ("", ".batch(32, drop_remainder=True)", ".batch(32)", ".shuffle(9).repeat(2)")
PAIRS: Final = "tf.data.Dataset.from_tensor_slices((tf.zeros((10, 4)), tf.zeros((10,), tf.int32)))"
MADE: Final = (
    "tf.data.Dataset.range(10)",
    "tf.data.Dataset.range(10).batch(5, drop_remainder=True)",
    "tf.data.Dataset.random(seed=4)",
    f"{PAIRS}.take_while(lambda x, y: y >= 0)",
    "tf.data.Dataset.range(10).unique()",
    "tf.data.Dataset.range(10).interleave(lambda i: tf.data.Dataset.from_tensors(tf.zeros((5, 3))), cycle_length=4)",
    "tf.data.Dataset.range(10).flat_map(lambda i: tf.data.Dataset.from_tensor_slices(tf.zeros((5, 3))))",
    f"{PAIRS}.flat_map(lambda x, y: tf.data.Dataset.from_tensors((x, y)))",
    "tf.data.Dataset.range(10).window(5, shift=1).flat_map(lambda part: part.batch(5, drop_remainder=True))",
    f"{PAIRS}.window(3).flat_map(lambda x, y: tf.data.Dataset.zip((x.batch(3), y.batch(3))))",
    f"tf.data.Dataset.sample_from_datasets([{PAIRS}, {PAIRS}], weights=[0.5, 0.5])",
    f"tf.data.Dataset.choose_from_datasets([{PAIRS}, {PAIRS}], tf.data.Dataset.range(2))",
    f"{PAIRS}.snapshot('kept').ignore_errors().batch(3)",
)
HEAD: Final = "import tensorflow as tf\ndef pairs():\n    yield 1\n"


def _nest(value: Value) -> object:
    """Sizes and types as TensorFlow tells them; sizes that are no numbers are ``None``."""
    if isinstance(value, TensorVal):
        shape = None if isinstance(value.shape, Unknown) else [n if isinstance(n, int) else None for n in value.shape]
        return shape, str(value.dtype)
    if isinstance(value, DictVal):
        return {str(key): _nest(part) for key, part in value.items.items()}
    assert isinstance(value, tuple)
    return tuple(map(_nest, value))


def _told(spec: object) -> object:
    if isinstance(spec, dict):
        return {key: _told(part) for key, part in spec.items()}
    if isinstance(spec, tuple):
        return tuple(map(_told, spec))
    shape = None if spec.shape.rank is None else spec.shape.as_list()
    return shape, spec.dtype.name


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("signature", SIGNATURES)
def test_elements_are_those_of_the_signature(signature: str, change: str) -> None:
    text = f"{HEAD}data = tf.data.Dataset.from_generator(pairs, {signature}){change}\n"
    names: dict[str, object] = {}
    exec(text, names)
    element = values(f"{text}for element in data:\n    kept = element\n")["kept"]
    assert _nest(element) == _told(names["data"].element_spec)


@pytest.mark.parametrize("made", MADE)
def test_elements_are_those_that_functions_make(made: str) -> None:
    names: dict[str, object] = {}
    exec(f"{HEAD}data = {made}\n", names)
    element = values(f"{HEAD}data = {made}\nfor element in data:\n    kept = element\n")["kept"]
    assert _nest(element) == _told(names["data"].element_spec)


@pytest.mark.parametrize("use", ["@tf.function(input_signature=[spec])\ndef f(x):\n    return x + 1\n", "z = spec.shape\n"])
def test_a_signature_is_no_tensor_that_something_is_said_of(use: str) -> None:
    values(f"{HEAD}spec = tf.TensorSpec((None, 3), tf.float32)\n{use}")
