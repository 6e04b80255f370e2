"""TensorFlow 1 programs as they were written from 2015 to 2018: what is known about their tensors."""

from __future__ import annotations

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir import events
from tests.lower.tracing import lower, ops, values

MNIST = """
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("data", one_hot=True)
x = tf.placeholder(tf.float32, [None, 784])
y_ = tf.placeholder(tf.float32, [None, 10])
"""


def shape(source: str, name: str) -> str:
    """The shape of a global variable after a program has run, as text."""
    value = values(source)[name]
    return "?" if isinstance(value.shape, Unknown) else str(value.shape).replace(" ", "")


def after(lines: str) -> str:
    """The shape of ``out`` at the end of the MNIST program."""
    return shape(MNIST + lines, "out")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("tf.nn.softmax(tf.matmul(x, tf.Variable(tf.zeros([784, 10]))))", "(B,10)"),
        ("tf.reduce_sum(x, reduction_indices=[1])", "(B,)"),
        ("tf.reduce_mean(x, 1, keep_dims=True)", "(B,1)"),
        ("tf.argmax(y_, dimension=1)", "(B,)"),
        ("tf.concat(1, [x, y_])", "(B,794)"),
        ("tf.concat([x, y_], 1)", "(B,794)"),
        ("tf.split(1, 2, x)[0]", "(B,392)"),
        ("tf.split(x, 4, axis=1)[3]", "(B,196)"),
        ("tf.pack([x, x])", "(2,B,784)"),
        ("tf.mul(x, tf.sub(x, tf.neg(x)))", "(B,784)"),
        ("tf.expand_dims(x, dim=-1)", "(B,784,1)"),
        ("tf.reshape(x, [-1, 28, 28, 1])", "(B,28,28,1)"),
        ("tf.reshape(x, tf.stack([tf.shape(x)[0], 28, 28]))", "(B,28,28)"),
        ("tf.zeros(tf.concat([tf.shape(x)[:1], [5]], 0))", "(B,5)"),
        ("tf.slice(x, [0, 4], [-1, 10])", "(B,10)"),
        ("tf.image.resize_images(tf.reshape(x, [-1, 28, 28, 1]), 14, 14)", "(B,14,14,1)"),
        ("tf.cond(tf.constant(True), lambda: x, lambda: 2 * x)", "(B,784)"),
        ("tf.map_fn(lambda row: tf.reshape(row, [28, 28]), x)", "(B,28,28)"),
        ("tf.get_variable('w', [784, 10], initializer=tf.truncated_normal_initializer(stddev=0.1))", "(784,10)"),
        ("tf.get_variable('w', initializer=tf.zeros([3, 4]))", "(3,4)"),
        ("tf.nn.softmax_cross_entropy_with_logits(logits=y_, labels=y_)", "(B,)"),
        ("tf.losses.softmax_cross_entropy(y_, y_)", "()"),
        ("tf.nn.l2_loss(x)", "()"),
        ("tf.add_n([x, x, x])", "(B,784)"),
        ("tf.nn.moments(x, [0])[1]", "(784,)"),
        ("tf.ensure_shape(x, [32, 784])", "(32,784)"),
        ("tf.ensure_shape(tf.py_func(len, [x], tf.float32), [None, 5])[0]", "(5,)"),
        ("tf.ensure_shape(x, [None, 784])", "(B,784)"),
        ("tf.image.per_image_standardization(tf.reshape(x, [-1, 28, 28, 1]))", "(B,28,28,1)"),
    ],
)
def test_functions_of_both_releases(expression: str, expected: str) -> None:
    assert after(f"out = {expression}\n") == expected


@pytest.mark.parametrize("prefix", ["tf.compat.v1", "tf"])
def test_names_of_the_compatibility_module_mean_the_same(prefix: str) -> None:
    source = f"import tensorflow as tf\nout = {prefix}.log({prefix}.placeholder(tf.float32, [None, 3]))\n"
    assert shape(source, "out") == "(B,3)"


def test_strides_and_windows_list_all_axes() -> None:
    source = """
image = tf.reshape(x, [-1, 28, 28, 1])
kernel = tf.Variable(tf.truncated_normal([5, 5, 1, 32]))
hidden = tf.nn.relu(tf.nn.conv2d(image, kernel, strides=[1, 1, 1, 1], padding="SAME"))
out = tf.nn.max_pool(hidden, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
"""
    assert after(source) == "(B,14,14,32)"


def test_weights_in_dicts_of_dicts() -> None:
    source = """
weights = {"encoder": {"h1": tf.Variable(tf.random_normal([784, 256]))}, "decoder": {"h1": tf.Variable(tf.zeros([256, 784]))}}
out = tf.matmul(tf.matmul(x, weights["encoder"]["h1"]), weights["decoder"]["h1"])
"""
    assert after(source) == "(B,784)"


def test_slim_takes_defaults_from_its_scope() -> None:
    source = """
import tensorflow.contrib.slim as slim

def scope():
    with slim.arg_scope([slim.conv2d], padding="VALID", normalizer_fn=slim.batch_norm) as made:
        return made

image = tf.reshape(x, [-1, 28, 28, 1])
with slim.arg_scope(scope()):
    inner = slim.repeat(image, 2, slim.conv2d, 16, [3, 3])
outer = slim.conv2d(inner, 8, 3)
out = slim.flatten(slim.max_pool2d(outer, [2, 2]))
"""
    assert after(source) == "(B,1152)"
    assert [op.kind for op in lower(MNIST + source).programs[0].ops].count("batch_norm") == 2


def test_recurrent_cells_over_time() -> None:
    source = """
cells = tf.contrib.rnn.MultiRNNCell([tf.contrib.rnn.BasicLSTMCell(64) for _ in range(2)])
outputs, state = tf.nn.dynamic_rnn(cells, tf.reshape(x, [-1, 28, 28]), dtype=tf.float32)
last = state[-1].h
steps = tf.unstack(tf.reshape(x, [-1, 28, 28]), 28, 1)
listed, _ = tf.nn.rnn(tf.nn.rnn_cell.GRUCell(32), steps, dtype=tf.float32)
first = listed[0]
"""
    found = values(MNIST + source)
    assert [str(found[name].shape).replace(" ", "") for name in ("outputs", "last", "first")] == [
        "(B,28,64)",
        "(B,64)",
        "(B,32)",
    ]


def test_placeholders_may_be_fed_different_batches() -> None:
    source = """
logits = tf.concat([tf.layers.dense(x, 2), tf.layers.dense(x, 2)], axis=0)
labels = tf.placeholder(tf.int32, [None])
loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
text = "loss %s" % loss
"""
    assert [op for program in lower(MNIST + source).programs for op in program.ops if op.faults] == []


def test_lists_of_numbers_take_the_type_of_the_tensor_beside_them() -> None:
    source = """
import tensorflow as tf
weights = tf.Variable(tf.random_normal([3]))
out = [1, 2, 3] * weights + weights * [4, 5, 6]
wrong = weights + tf.constant([1, 2, 3])
"""
    faults = [(op.kind, fault.kind) for program in lower(source).programs for op in program.ops for fault in op.faults]
    assert faults == [("add", "dtype")]


def test_fetched_arrays_have_the_sizes_that_were_fed() -> None:
    source = """
predictions = tf.matmul(x, tf.Variable(tf.zeros([784, 10])))
with tf.Session() as sess:
    images, labels = mnist.train.next_batch(50)
    out, _ = sess.run([predictions, tf.global_variables_initializer()], feed_dict={x: images, y_: labels})
"""
    assert after(source) == "(50,10)"


@pytest.mark.parametrize(
    ("value", "faults"),
    [("np.zeros((5, 784))", 0), ("np.zeros((784,))", 1), ("np.zeros((5, 28, 28))", 1), ("np.zeros((5, 100))", 1)],
)
def test_fed_values_are_compared_with_their_placeholder(value: str, faults: int) -> None:
    source = f"import numpy as np\n{MNIST}tf.Session().run(x, feed_dict={{x: {value}}})\n"
    assert sum(len(op.faults) for op in ops(source, "feed")) == faults


def test_running_a_training_operation_is_a_step() -> None:
    source = """
loss = tf.reduce_mean(tf.square(x))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
session = tf.InteractiveSession()
for _ in range(1000):
    session.run(train, {x: mnist.train.images})
"""
    kinds = [type(event) for event in lower(MNIST + source).programs[0].events]
    assert kinds.count(events.Backward) == kinds.count(events.Step) >= 1


def test_flags_have_their_defaults() -> None:
    source = """
flags = tf.app.flags
flags.DEFINE_integer("hidden", 128, "units")
FLAGS = flags.FLAGS
out = tf.layers.dense(x, FLAGS.hidden, activation=tf.nn.relu)
"""
    assert after(source) == "(B,128)"


def test_classes_that_build_graphs_are_run() -> None:
    source = """
import tensorflow as tf

class Model(object):
    def __init__(self, width=32):
        self.x = tf.placeholder(tf.float32, [None, 8])
        self.width = width

    def build(self):
        return tf.matmul(self.x, tf.zeros([9, self.width]))
"""
    assert [fault.kind for op in ops(source, "matmul") for fault in op.faults] == ["matmul"]


def test_a_parameter_that_runs_tensors_is_a_session() -> None:
    source = """
import numpy as np

def evaluate(sess):
    return sess.run(x, feed_dict={x: np.zeros((5, 784))})
"""
    assert [str(op.output.shape) for op in ops(MNIST + source, "fetch")] == ["(5, 784)"]


@pytest.mark.parametrize(("version", "faults"), [("1.8.0", 1), ("1.15.0", 0)])
def test_products_broadcast_since_release_1_14(version: str, faults: int) -> None:
    source = f"""
import tensorflow as tf
assert tf.__version__ == "{version}"
product = tf.matmul(tf.zeros([5, 2, 3]), tf.zeros([3, 4]))
"""
    assert sum(len(op.faults) for op in ops(source, "matmul")) == faults


@pytest.mark.parametrize(("cell", "width"), [("LSTMCell(8, state_is_tuple=False)", 16), ("GRUCell(8)", 8)])
@pytest.mark.parametrize("count", [1, 3])
def test_the_state_of_a_stack_may_be_one_tensor(cell: str, width: int, count: int) -> None:
    source = f"""
cells = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.{cell} for _ in range({count})], state_is_tuple=False)
start = cells.zero_state(5, tf.float32)
outputs, state = tf.nn.dynamic_rnn(cells, tf.ones([5, 7, 4]), initial_state=start, dtype=tf.float32)
size = cells.state_size
"""
    found = values(MNIST + source)
    assert found["size"] == count * width
    assert [str(found[name].shape).replace(" ", "") for name in ("start", "state")] == [f"(5,{count * width})"] * 2


@pytest.mark.parametrize(
    ("call", "kinds"),
    [
        ("tf.contrib.layers.bias_add(image)", ["add"]),
        ("tf.contrib.layers.bias_add(image, activation_fn=tf.nn.relu)", ["add", "relu"]),
        ("tf.contrib.layers.unit_norm(image, dim=3)", ["l2_normalize"]),
        ("tf.contrib.layers.group_norm(image, groups=4)", ["group_norm"]),
        (
            "tf.contrib.layers.conv2d(image, 64, 3, normalizer_fn=tf.contrib.layers.group_norm)",
            ["conv", "group_norm", "relu"],
        ),
        ("tf.contrib.layers.batch_norm(image)", ["batch_norm"]),
    ],
)
def test_which_normaliser_is_applied(call: str, kinds: list[str]) -> None:
    source = f"{MNIST}\nimage = tf.zeros([2, 7, 7, 16])\nout = {call}\n"
    program = lower(source).programs[0]
    made = [op.kind for op in program.ops]
    assert made[made.index("zeros") + 1 :] == kinds
    assert [op.faults for op in program.ops if op.faults] == []
