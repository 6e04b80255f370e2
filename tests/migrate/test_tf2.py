"""Names of TensorFlow 1: where each goes, however the file reaches it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dllint.migrate.files import stepwise
from dllint.migrate.goal import goal
from dllint.source.document import Document


def step(text, to="tf2"):
    """The text after the steps of a migration, and their remarks."""
    document, remarks = stepwise(Document.from_text(Path("program.py"), text), [goal(to)], Counter())
    assert document.problem is None
    return document.text, remarks


#: A use of TensorFlow 1, and what becomes of it; `tf` stands for the name of the import.
USES = [
    ("tf.placeholder(tf.float32, [None, 3])", "tf.compat.v1.placeholder(tf.float32, [None, 3])"),
    ("tf.Session()", "tf.compat.v1.Session()"),
    ("tf.train.AdamOptimizer(0.1)", "tf.compat.v1.train.AdamOptimizer(0.1)"),
    ("tf.Variable(1.0)", "tf.compat.v1.Variable(1.0)"),
    ("tf.log(a)", "tf.math.log(a)"),
    ("tf.mul(a, b)", "tf.multiply(a, b)"),
    ("tf.reduce_sum(a, 1)", "tf.reduce_sum(a, 1)"),
    ("tf.reduce_sum(a, reduction_indices=1, keep_dims=True)", "tf.reduce_sum(a, axis=1, keepdims=True)"),
    ("tf.argmax(a, dimension=1)", "tf.argmax(a, axis=1)"),
    ("tf.expand_dims(a, dim=0)", "tf.expand_dims(a, axis=0)"),
    ("tf.nn.dropout(a, 0.5)", "tf.compat.v1.nn.dropout(a, 0.5)"),
    ("tf.nn.relu(a)", "tf.nn.relu(a)"),
    ("tf.where(a)", "tf.compat.v1.where(a)"),
    ("tf.concat(1, [a, b])", "tf.concat([a, b], 1)"),
    ("tf.concat([a, b], 1)", "tf.concat([a, b], 1)"),
    ("tf.split(0, 2, a)", "tf.split(a, 2, 0)"),
    ("tf.nn.sigmoid_cross_entropy_with_logits(a, b)", "tf.nn.sigmoid_cross_entropy_with_logits(logits=a, labels=b)"),
    ("tf.contrib.layers.flatten(a)", "tf.contrib.layers.flatten(a)"),
    ("tf.compat.v1.Session()", "tf.compat.v1.Session()"),
]
IMPORTS = ["import tensorflow as tf", "import tensorflow as T", "import tensorflow"]
PLACES = ["result = {}", "def f(a, b):\n    return [{}]", "class C:\n    def m(self, a, b):\n        self.x = ({})"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("line", IMPORTS)
def test_each_use_gets_its_name(line, place):
    local = line.split()[-1]
    for old, new in USES:
        head = f"{line}\n{local}.compat.v1.disable_v2_behavior()\n"
        program = f"{head}old = {local}.app.flags\n" + place.format(old.replace("tf.", f"{local}."))
        wanted = f"{head}old = {local}.compat.v1.app.flags\n" + place.format(new.replace("tf.", f"{local}."))
        assert step(program)[0] == wanted


@pytest.mark.parametrize(("text", "asks"), [
    ("x = tf.placeholder(tf.float32)", True),
    ("x = tf.log(2.0)", False),
    ("flags = tf.app.flags", False),
    ("tf.enable_eager_execution()\nx = tf.train.AdamOptimizer(1.0)", False),
])  # fmt: skip
def test_a_file_with_a_graph_asks_for_the_old_behaviour(text, asks):
    after, _ = step(f"import tensorflow as tf\nimport os\n{text}\n")
    assert ("tf.compat.v1.disable_v2_behavior()\nimport os" in after) == asks


def test_layers_need_the_old_keras():
    _, remarks = step("import tensorflow as tf\nx = tf.layers.dense(tf.ones([2, 2]), 3)\n")
    (remark,) = remarks
    assert "tf.compat.v1.layers.dense" in remark.message


@pytest.mark.parametrize("text", [
    "import tensorflow as tf\nif hasattr(tf, 'Session'):\n    s = tf.Session()\n",
    "import tensorflow.compat.v1 as tf\ns = tf.Session()\n",
    "import tensorflow as tf\nx = tf.Variable(1.0)\ny = tf.where(x > 0, x, -x)\n",
    "from other import tf\ns = tf.Session()\n",
])  # fmt: skip
def test_other_files_stay_as_they_are(text):
    assert step(text)[0] == text
