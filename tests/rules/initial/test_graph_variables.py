"""Variables of TensorFlow 1 without values are found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import numpy as np\nimport tensorflow as tf\n"
SETUP = "x = tf.placeholder(tf.float32, [None, 4])\nw = {made}\ny = tf.matmul(x, w)\nloss = tf.reduce_mean(tf.square(y))\n"
VARIABLES = ("tf.Variable(tf.ones([4, 2]))", "tf.get_variable('w', [4, 2])")
NAMES = ("x", "y", "w", "loss")
FEED = "{x: np.zeros((3, 4))}"
OPEN = "session = tf.Session()\n"
INIT = "init = tf.global_variables_initializer()\n"
TRAIN = "train = tf.train.{optimizer}.minimize(loss)\n"
RUN = f"for _ in range(100):\n    session.run(train, {FEED})\n"
ADAM = TRAIN.format(optimizer="AdamOptimizer(0.1)")
SGD = TRAIN.format(optimizer="GradientDescentOptimizer(0.1)")
SLOTS = [TRAIN.format(optimizer=made) for made in ("AdamOptimizer()", "MomentumOptimizer(0.1, 0.9)", "RMSPropOptimizer(0.1)")]
#: Body → whether a variable has no value, or loses it.
BODIES = {
    f"{OPEN}print(session.run(y, {FEED}))": True,
    f"{INIT}{OPEN}print(session.run(y, feed_dict={FEED}))": True,
    f"with tf.Session() as session:\n    print(session.run([y, loss], {FEED}))": True,
    **{f"{INIT}{step}{OPEN}session.run(init)\n{RUN}": True for step in SLOTS},
    f"{INIT}{OPEN}late = tf.Variable(tf.zeros([2]))\nsession.run(init)\nprint(session.run(y + late, {FEED}))": True,
    f"{SGD}{INIT}{OPEN}for step in range(100):\n    session.run(init)\n    session.run(train, {FEED})": True,
    f"data = np.load('x.npy')\n{OPEN}print(session.run(y, {FEED}))": True,
    f"{SGD}{OPEN}session.run(train, {FEED})": True,
    f"{INIT}{OPEN}session.run(init)\nprint(session.run(y, {FEED}))": False,
    f"{OPEN}w.load(np.load('w.npy'), session)\nprint(session.run(y, {FEED}))": False,
    f"constant = tf.reduce_sum(x)\n{OPEN}print(session.run(constant, {FEED}))": False,
    f"{OPEN}session.run(tf.global_variables_initializer())\nprint(session.run(y, {FEED}))": False,
    f"{OPEN}session.run([tf.global_variables_initializer(), tf.tables_initializer()])\nprint(session.run(y, {FEED}))": False,
    f"{OPEN}session.run(tf.variables_initializer([w]))\nprint(session.run(y, {FEED}))": False,
    f"{OPEN}session.run(w.initializer)\nprint(session.run(y, {FEED}))": False,
    f"saver = tf.train.Saver()\n{OPEN}saver.restore(session, 'model')\nprint(session.run(y, {FEED}))": False,
    f"{INIT}with tf.Session() as session:\n    init.run()\n    print(session.run(y, {FEED}))": False,
    f"{OPEN}print(session.run(tf.square(x), {FEED}))": False,
    f"{INIT}{SGD}{OPEN}session.run(init)\n{RUN}": False,
    f"{ADAM}{INIT}{OPEN}session.run(init)\n{RUN}": False,
    f"{SGD}{INIT}{OPEN}for f in 'ab':\n    session.run(init)\n    for _ in range(9):\n        session.run(train)": False,
    f"with tf.train.MonitoredTrainingSession() as session:\n    print(session.run(y, {FEED}))": False,
}
PLAIN = [name for name in FORMS if name != "aliased"]


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(("body", "made", "form"), list(product(BODIES, VARIABLES, PLAIN)))
def test_variables_without_values(body: str, made: str, form: str, tmp_path: Path) -> None:
    case = Case("DLI106", IMPORTS, SETUP.format(made=made), body, NAMES)
    assert ("DLI106" in found(FORMS[form](case), tmp_path, ["DLI106"])) is BODIES[body]
