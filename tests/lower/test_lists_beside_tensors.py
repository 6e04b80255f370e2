"""Lists beside TensorFlow's tensors take their element type, as its operators convert them."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

HEAD = "import numpy as np\nimport tensorflow as tf\n\nw, n = tf.ones((3, 2)), tf.ones((3, 2), tf.int32)\n"


@pytest.mark.parametrize("expression", [
    "[[1, 2, 3]] @ w", "w + [1, 2]", "[1, 2] * w", "(1, 2) - w", "n + [1, 2]", "tf.Variable(w) * [[1, 2]]",
    "np.r_[-1, np.zeros(3), 2]", "np.c_[np.zeros(3), np.ones((3, 2))]", "tf.random.normal([3]) + tf.zeros(3)",
])  # fmt: skip
def test_what_runs_has_no_fault(expression: str) -> None:
    source = f"{HEAD}y = {expression}\n"
    assert [op.faults for program in lower(source).programs for op in program.ops if op.faults] == []


@pytest.mark.parametrize("name", ["normal", "uniform", "truncated_normal"])
def test_a_single_size_is_no_shape_of_random_numbers(name: str) -> None:
    source = f"{HEAD}y = tf.random.{name}(3)\n"
    assert [op.kind for program in lower(source).programs for op in program.ops if op.faults]
