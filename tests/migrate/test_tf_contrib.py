"""What of ``tf.contrib`` has a successor, however the file reaches it."""

from __future__ import annotations

import pytest

from dllint.frameworks.history.record import upgrades
from tests.migrate.test_tf2 import step

#: Module and name below ``tensorflow.contrib``, with arguments, and what becomes of the call.
CALLS = [
    ("rnn", "BasicLSTMCell", "(8)", "tf.compat.v1.nn.rnn_cell.BasicLSTMCell(8)"),
    ("rnn", "static_rnn", "(a, b)", "tf.compat.v1.nn.static_rnn(a, b)"),
    ("data", "shuffle_and_repeat", "(10)", "tf.data.experimental.shuffle_and_repeat(10)"),
    ("layers", "xavier_initializer", "()", "tf.compat.v1.glorot_uniform_initializer()"),
    ("layers", "xavier_initializer", "(uniform=False, seed=1)", "tf.compat.v1.glorot_normal_initializer(seed=1)"),
    ("layers", "l2_regularizer", "(a)", "(lambda weights, scale=a: scale * tf.nn.l2_loss(weights))"),
    ("layers", "l1_regularizer", "(scale=0.1)", "(lambda weights, scale=0.1: scale * tf.reduce_sum(tf.abs(weights)))"),
]
KEPT = [
    ("rnn", "LayerNormBasicLSTMCell", "(8)"),
    ("layers", "fully_connected", "(a, 3)"),
    ("layers", "xavier_initializer", "(u)"),
    ("layers", "xavier_initializer", "(uniform=u)"),
    ("layers", "l2_regularizer", "(0.1, scope=s)"),
]


@pytest.mark.parametrize("place", ["x = {}", "def f(a, b, u, s):\n    return {}"])
def test_calls_through_each_import(place):
    for module, name, arguments, new in CALLS:
        through = [
            ("import tensorflow as tf\n", f"tf.contrib.{module}.{name}"),
            (f"import tensorflow as tf\nfrom tensorflow.contrib import {module}\n", f"{module}.{name}"),
            (f"import tensorflow as tf\nimport tensorflow.contrib.{module} as part\n", f"part.{name}"),
        ]
        for line, called in through:
            text, _ = step(f"{line}{place.format(called + arguments)}\n")
            assert text.endswith(f"\n{place.format(new)}\n")


@pytest.mark.parametrize("place", ["x = {}", "def f(a, u, s):\n    return {}"])
def test_others_stay(place):
    for module, name, arguments in KEPT:
        text = f"import tensorflow as tf\n{place.format(f'tf.contrib.{module}.{name}{arguments}')}\n"
        assert step(text)[0] == text


def test_imports_of_names_that_moved_and_of_those_that_nothing_uses():
    old = (
        "from tensorflow.contrib.rnn import GRUCell, NASCell\nfrom tensorflow.contrib import slim\nx = GRUCell(4), NASCell(4)\n"
    )
    moved = "from tensorflow.compat.v1.nn.rnn_cell import GRUCell\nfrom tensorflow.contrib.rnn import NASCell\n"
    text, remarks = step(old)
    assert text == f"{moved}x = GRUCell(4), NASCell(4)\n"
    assert [remark.message.split("`")[1] for remark in remarks] == ["tf.compat.v1.nn.rnn_cell.GRUCell"] * 2


@pytest.mark.oracle
def test_successors_exist():
    tensorflow = pytest.importorskip("tensorflow")
    from dllint.dev.upgrades import reach

    lacking = [new for new in upgrades().values() if reach(tensorflow, new) is None]
    assert all(new.startswith("compat.v1.nn.rnn_cell.") for new in lacking)  # of tf_keras
    assert not [old for old in upgrades() if reach(tensorflow, old) is not None]
