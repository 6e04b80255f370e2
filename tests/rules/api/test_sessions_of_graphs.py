"""Misuses of sessions of TensorFlow 1 in every structural form."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import numpy as np\nimport tensorflow.compat.v1 as tf"
SETUP = "x = tf.placeholder(tf.float32, [None, 4])\ny = tf.reduce_mean({})\nsess = tf.Session()"
BETWEEN = ("x", "tf.nn.relu(x)", "tf.matmul(x, tf.ones([4, 2]))", "tf.reshape(tf.concat([x, x], 1), [-1, 4])")
RUNS = {
    "print(sess.run(y))": True,
    "print(sess.run([y, y], feed_dict={}))": True,
    "print(sess.run(y, {x: tf.zeros([2, 4])}))": True,
    "print(sess.run(y, feed_dict={x: tf.zeros([2, 4]) + 1.0}))": True,
    "print(y.eval(session=sess))": True,
    "print(sess.run(y, {x: np.zeros((2, 4))}))": False,
    "print(sess.run(y, feed_dict={y: 3.0}))": False,
    "values = {x: np.zeros((2, 4))}\nprint(sess.run(y, values))": False,
    "print(sess.run(y, {x: sess.run(tf.zeros([2, 4]))}))": False,
    "print(y.eval({x: np.zeros((2, 4))}, session=sess))": False,
    "first = sess.run(tf.zeros_like(tf.ones_like(x[:0])))": False,
}


@pytest.mark.parametrize("form", list(FORMS)[::4])
@pytest.mark.parametrize("between", BETWEEN[::3])
@pytest.mark.parametrize("run", RUNS)
def test_a_run_gets_what_it_needs(run: str, between: str, form: str, tmp_path: Path) -> None:
    case = Case("DLA107", IMPORTS, SETUP.format(between), run, ("x", "y", "sess"))
    assert ("DLA107" in found(FORMS[form](case), tmp_path, ["DLA107"])) is RUNS[run]


FED = "features, goals = np.zeros((90, 4)), np.zeros((90, 1))\n"
STARTS = "\ntf.train.start_queue_runners(sess)\n"
TAKEN = {
    f"pair = tf.train.shuffle_batch([features, goals], 16, 64, 8, enqueue_many=True){STARTS}sess.run(y, {{x: pair[0]}})": True,
    f"a, b = tf.train.batch([features, goals], batch_size=16, enqueue_many=True){STARTS}sess.run(y, feed_dict={{x: a}})": True,
    f"a = tf.train.batch(tf.constant(features), 16, enqueue_many=True){STARTS}fed = {{x: a}}\nsess.run(y, feed_dict=fed)": True,
    f"pair = tf.train.batch([features, goals], 16, enqueue_many=True){STARTS}sess.run(y, {{x: sess.run(pair)[0]}})": False,
    f"a, b = tf.train.batch([features, goals], 16, enqueue_many=True){STARTS}sess.run(y, feed_dict={{x: sess.run(a)}})": False,
}


@pytest.mark.parametrize("form", list(FORMS)[::4])
@pytest.mark.parametrize("body", TAKEN)
def test_batches_of_queues_are_not_fed(body: str, form: str, tmp_path: Path) -> None:
    case = Case("DLA107", IMPORTS, SETUP.format("x"), FED + body, ("x", "y", "sess"))
    assert ("DLA107" in found(FORMS[form](case), tmp_path, ["DLA107"])) is TAKEN[body]


QUEUES = "batch = tf.train.batch([tf.TextLineReader().read(tf.train.string_input_producer(['a.txt']))[1]], 4)"
STARTED = {
    f"{QUEUES}\nprint(sess.run(batch))": True,
    f"tf.train.start_queue_runners(sess)\n{QUEUES}\nprint(sess.run(batch))": True,
    f"{QUEUES}\ntf.train.start_queue_runners(sess)\nprint(sess.run(batch))": False,
    f"{QUEUES}\nrunner = tf.train.QueueRunner(batch, [])\nprint(sess.run(batch))": False,
    f"{QUEUES}\nprint(sess.run(tf.ones([2])))": False,
}


@pytest.mark.parametrize("form", list(FORMS)[1::4])
@pytest.mark.parametrize("body", STARTED)
def test_a_run_waits_for_a_queue(body: str, form: str, tmp_path: Path) -> None:
    case = Case("DLA107", IMPORTS, "sess = tf.Session()", body, ("sess",))
    assert ("DLA107" in found(FORMS[form](case), tmp_path, ["DLA107"])) is STARTED[body]
