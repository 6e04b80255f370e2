"""Variables of TensorFlow 1 without values are found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, MAIN, Case, found

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
AVERAGE = "ema = tf.train.ExponentialMovingAverage(0.9)\n"
AFTER = "with tf.control_dependencies([train]):\n    both = {0}\n"
RUN_BOTH = f"{OPEN}session.run(init)\nfor _ in range(9):\n    session.run(both, {FEED})"
#: Moving averages → whether their variables are made behind the initializer.
BODIES |= {
    f"{SGD}{INIT}{AVERAGE}{AFTER.format('ema.apply([w])')}{RUN_BOTH}": True,
    f"{SGD}{AVERAGE}{INIT}both = ema.apply([loss, w])\n{RUN_BOTH}": True,
    f"{SGD}{INIT}mean = tf.train.ExponentialMovingAverage(0.5)\nboth = mean.apply(var_list=[loss])\n{RUN_BOTH}": True,
    f"{SGD}{AVERAGE}{AFTER.format('ema.apply([w])')}{INIT}{RUN_BOTH}": False,
    f"{SGD}{AVERAGE}first = ema.apply([w])\n{INIT}both = ema.apply([w])\n{RUN_BOTH}": False,
    f"{SGD}{INIT}{AVERAGE}both = ema.apply([])\n{RUN_BOTH}": False,
}
PLAIN = [name for name in FORMS if name != "aliased"]


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(("body", "made", "form"), list(product(BODIES, VARIABLES, PLAIN)))
def test_variables_without_values(body: str, made: str, form: str, tmp_path: Path) -> None:
    case = Case("DLI106", IMPORTS, SETUP.format(made=made), body, NAMES)
    assert ("DLI106" in found(FORMS[form](case), tmp_path, ["DLI106"])) is BODIES[body]


#: Two sessions over one graph, by what the second one does first, and whether it lacks the values.
SECOND = {
    "pass": True,
    "{session}.run(y, feed_dict={{x: np.ones((3, 4))}})": True,
    "{session}.run(tf.global_variables_initializer())": False,
    "{session}.run([tf.global_variables_initializer()])": False,
    "tf.global_variables_initializer().run(session={session})": False,
    "tf.train.Saver().restore({session}, 'model')": False,
    "{session}.run(tf.group(tf.global_variables_initializer(), y))": False,
}
SESSIONS = {
    "with": "with tf.Session({target}) as {session}:\n    {body}\n",
    "name": "{session} = tf.Session({target})\n{body}\n",
    "class": "class Part:\n    def act(self):\n        self.held = tf.Session({target})\n        {body}\n\n\nPart().act()\n",
}
GRAPH = """import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.ones([4, 2]))
y = tf.matmul(x, w)
loss = tf.reduce_mean(tf.square(y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as first:
    first.run(tf.global_variables_initializer())
    first.run(train, feed_dict={x: np.zeros((3, 4))})
"""


@pytest.mark.parametrize("form", SESSIONS)
@pytest.mark.parametrize("before", SECOND)
@pytest.mark.parametrize("fetched", ["y", "train", "[y, loss]"])
def test_a_second_session_has_values_of_its_own(form: str, before: str, fetched: str, tmp_path: Path) -> None:
    session = "self.held" if form == "class" else "second"
    indent = {"with": "\n    ", "name": "\n", "class": "\n        "}[form]
    body = indent.join((before.format(session=session), f"{session}.run({fetched}, feed_dict={{x: np.zeros((3, 4))}})"))
    source = GRAPH + SESSIONS[form].format(target="", session=session, body=body)
    assert ("DLI106" in found({MAIN: source}, tmp_path)) is SECOND[before]


@pytest.mark.parametrize("form", SESSIONS)
def test_sessions_of_a_server_share_their_values(form: str, tmp_path: Path) -> None:
    session = "self.held" if form == "class" else "second"
    body = f"{session}.run(y, feed_dict={{x: np.zeros((3, 4))}})"
    source = GRAPH + SESSIONS[form].format(target="'grpc://worker'", session=session, body=body)
    assert "DLI106" not in found({MAIN: source}, tmp_path)


EPOCHS = """import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.ones([4, 2]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
init = tf.global_variables_initializer()
with tf.Session() as session:
    {first}
    for {variable} in range(5):
        {again}
        for i in range(10):
            session.run([loss, train], feed_dict={{x: np.zeros((3, 4))}})
"""


@pytest.mark.parametrize(
    ("first", "variable", "again", "told"),
    [
        ("pass", "epoch", "session.run(init)", True),
        ("session.run(init)", "epoch", "session.run(init)", True),
        ("session.run(init)", "epoch", "print(epoch)", False),
        ("pass", "fold", "session.run(init)", False),
        ("pass", "trial", "session.run(init)", False),
        ("pass", "epoch", "if epoch == 0:\n            session.run(init)", False),
    ],
)
def test_variables_that_each_epoch_resets(first: str, variable: str, again: str, told: bool, tmp_path: Path) -> None:
    text = EPOCHS.format(first=first, variable=variable, again=again)
    assert ("DLI106" in found({MAIN: text}, tmp_path, ["DLI106"])) is told


OPENED = {
    "with tf.Session() as session:\n        {body}": False,
    "session = tf.Session()\n    {body}": False,
    "session = opened()\n    {body}": False,
    "session = outer\n    {body}": True,
}


@pytest.mark.parametrize(("loop", "count"), [("for epochs in (1, 5, 10):", "epochs"), ("for epoch in range(3):", "10")])
@pytest.mark.parametrize("opening", OPENED)
def test_variables_of_a_session_of_each_pass(opening: str, loop: str, count: str, tmp_path: Path) -> None:
    indent = "        " if opening.startswith("with") else "    "
    step = "session.run([loss, train], feed_dict={x: np.zeros((3, 4))})"
    body = opening.format(body=f"session.run(init)\n{indent}for i in range({count}):\n{indent}    {step}")
    head = EPOCHS[: EPOCHS.index("with tf.Session()")].format()
    text = f"{head}\n\ndef opened():\n    return tf.Session()\n\n\nouter = tf.Session()\n{loop}\n    {body}\n"
    assert ("DLI106" in found({MAIN: text}, tmp_path, ["DLI106"])) is (OPENED[opening] and count != "epochs")
