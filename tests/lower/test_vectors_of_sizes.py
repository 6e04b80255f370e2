"""Arithmetic of ``tf.shape(x)``: a vector of sizes, of which every number counts by itself, and no tuple."""

from __future__ import annotations

from itertools import product

import pytest
import tensorflow as tf

from tests.lower.tracing import lower

HEAD = "import tensorflow as tf\n\nx = tf.zeros((2, 8, 12, 3))\nother = tf.zeros((4, 6))\n"
SHAPES = ("tf.shape(x)", "tf.keras.backend.shape(x)")
#: What is computed of the height and the width.
COMPUTED = (
    "{shape}[1:3] * 2",
    "3 * {shape}[1:3]",
    "{shape}[1:3] + 1",
    "{shape}[1:3] - 1",
    "{shape}[1:3] // 2",
    "{shape}[1:3] % 5",
    "{shape}[1:3] + [1, 2]",
    "(5, 4) + {shape}[1:3]",
    "{shape}[1:3][::-1] * [2, 3]",
    "{shape}[:2] + {shape}[2:]",
    "{shape}[1:3] * tf.shape(other)",
    "{shape}[1:3] if tf.rank(x) == 4 else tf.shape(other)",
)
USES = (
    "tf.zeros({sizes})",
    "tf.image.resize(x, {sizes})",
    "tf.zeros((5, 2)) * tf.cast({sizes}, tf.float32)",
    "tf.zeros((5, 2)) / tf.cast(({sizes})[::-1], 'float32')",
)
FORMS = ("y = {use}", "def double(x):\n    return {use}\n\n\ny = double(x)")
PROGRAMS = [
    HEAD + form.format(use=use.format(sizes=sizes.format(shape=shape)))
    for form, use, sizes, shape in product(FORMS, USES, COMPUTED, SHAPES)
]


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("text", PROGRAMS)
def test_every_size_counts_by_itself(text):
    space: dict[str, tf.Tensor] = {}
    exec(compile(text, "sizes", "exec"), space)
    lowered = lower(text)
    assert [op.faults for program in lowered.programs for op in program.ops if op.faults] == []
    assert lowered.module.attrs["y"].shape == tuple(space["y"].shape)


def test_vectors_of_different_length():
    text = f"{HEAD}y = tf.zeros(tf.shape(x)[1:3] + tf.shape(x)[1:])\n"
    assert not isinstance(lower(text).module.attrs["y"].shape, tuple)


def test_a_vector_is_no_tuple():
    assert lower(f"{HEAD}y = isinstance(tf.shape(x), tuple)\n").module.attrs["y"] is False
