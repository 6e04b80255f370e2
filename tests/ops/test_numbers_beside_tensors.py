"""Numbers that are stacked with tensors take their type in TensorFlow, which is asked."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.lower.tracing import lower

VALUES = {
    "0": "int", "0.5": "float", "tf.constant(3)": "i32", "tf.constant(2.0)": "f32", "tf.constant(2.0, tf.float64)": "f64",
    "tf.constant(2, tf.int64)": "i64", "tf.shape(x)[0]": "size", "tf.shape(x)[1] / 2": "half a size", "-1": "int",
}  # fmt: skip


#: Of three values, so many of the combinations are asked.
_PROGRAMS = 200


@pytest.mark.oracle
@pytest.mark.parametrize("function", ["tf.stack"])
@pytest.mark.parametrize("count", [2, 3])
def test_as_tensorflow_does(function: str, count: int) -> None:
    tf = pytest.importorskip("tensorflow")
    found = 0
    written = list(itertools.product(VALUES, repeat=count))
    for values in random.Random(count).sample(written, min(len(written), _PROGRAMS)):
        text = f"x = tf.ones((3, 4))\ny = {function}([{', '.join(values)}])\n"
        try:
            names = {"tf": tf}
            exec(text, names)
            result = names["y"].dtype.name
        except (TypeError, ValueError, tf.errors.InvalidArgumentError):
            result = None
        last = lower("import tensorflow as tf\n" + text).programs[0].ops[-1]
        faults = [fault.kind for fault in last.faults]
        assert result is None or not faults, text
        found += bool(faults) and result is None
        claimed = last.outputs[0].type.dtype if last.outputs else None
        if result is not None and hasattr(claimed, "name"):
            assert claimed.name == result, text
    assert found > 5
