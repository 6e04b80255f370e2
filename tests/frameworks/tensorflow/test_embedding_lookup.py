"""Slices looked up in tensors of any rank: TensorFlow looks them up, and what dllint says of the same call holds."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.lower.tracing import values

TABLES = ("(7,)", "(7, 5)", "(7, 2, 5)", "(7, 2, 3, 5)")
IDS = ("2", "[1, 0]", "[[1, 0, 3], [2, 2, 2]]", "tf.zeros((4, 4), tf.int32)", "tf.zeros((1, 2, 1), tf.int64)")
CALLS = (
    "tf.nn.embedding_lookup(table, {ids})",
    "tf.nn.embedding_lookup(params=table, ids={ids})",
    "tf.nn.embedding_lookup([table], {ids})",
    "tf.nn.embedding_lookup(tf.Variable(table), {ids})",
)


@pytest.mark.oracle
@pytest.mark.parametrize(("table", "ids", "call"), list(itertools.product(TABLES, IDS, CALLS)))
def test_shapes_are_those_of_tensorflow(table: str, ids: str, call: str) -> None:
    tf = pytest.importorskip("tensorflow")
    source = f"import tensorflow as tf\ntable = tf.zeros({table})\nout = {call.format(ids=ids)}\n"
    names: dict[str, Any] = {"tf": tf}
    exec(source, names)
    assert values(source)["out"].shape == tuple(names["out"].shape)


def test_a_divided_table_is_not_followed() -> None:
    source = "import tensorflow as tf\ntable = tf.zeros((7, 5))\nout = tf.nn.embedding_lookup([table, table], [1])\n"
    assert not hasattr(values(source)["out"], "shape")
