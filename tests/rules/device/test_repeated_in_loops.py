"""What loops repeat or pile up is found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

TORCH = "import gc\n\nimport torch\nfrom torch import nn\n"
MODEL = "model = nn.Linear(8, 2)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)"
STEP = "    optimizer.zero_grad()\n    model(torch.randn(4, 8)).square().mean().backward()\n    optimizer.step()\n"
HEAD = "for number in range(100):\n"
COLLECT = ("torch.cuda.empty_cache()", "gc.collect()")
MOVE = ("model.cuda()", "model.to('cuda')", "model = model.to('cuda:0')")
#: Faulty and repaired bodies.
STEPS = [
    *((f"{HEAD}{STEP}    {call}\n", f"{HEAD}{STEP}{call}\n") for call in COLLECT),
    *((f"{HEAD}{STEP}    {call}\n", f"{HEAD}{STEP}    if number % 50 == 0:\n        {call}\n") for call in COLLECT),
    *((f"{HEAD}    {call}\n{STEP}", f"{call}\n{HEAD}{STEP}") for call in MOVE),
    *((f"{HEAD}    {call}\n{STEP}", f"{HEAD}    {call}\n{STEP}    model.cpu()\n") for call in MOVE),
]
GRAPH = "import numpy as np\nimport tensorflow as tf\n"
BUILT = (
    "x = tf.placeholder(tf.float32, [None, 4])\nw = tf.Variable(tf.ones([4, 2]))\ny = tf.matmul(x, w)\n"
    "session = tf.Session()\nsession.run(tf.global_variables_initializer())"
)
RUNS = [
    (f"for step in range(1000):\n    print(session.run({made}, feed_dict={{x: np.zeros((3, 4))}}))",
     f"made = {made}\nfor step in range(1000):\n    print(session.run(made, feed_dict={{x: np.zeros((3, 4))}}))")
    for made in ("tf.reduce_mean(y)", "tf.assign(w, w * 0.9)", "y + 1.0", "tf.nn.softmax(y)")
]  # fmt: skip
#: Form that leaves the names of another library as they are.
PLAIN = [name for name in FORMS if name != "aliased"]


def told(code: str, imports: str, setup: str, body: str, names: tuple[str, ...], form: str, folder: Path) -> bool:
    folder.mkdir()
    return code in found(FORMS[form](Case(code, imports, setup, body, names)), folder, [code])


@pytest.mark.sampled(every=5)
@pytest.mark.parametrize(("pair", "form"), list(product(STEPS, FORMS)))
def test_what_each_step_repeats(pair: tuple[str, str], form: str, tmp_path: Path) -> None:
    for body, wanted, name in zip(pair, (True, False), "ab", strict=True):
        assert told("DLG105", TORCH, MODEL, body, ("model", "optimizer"), form, tmp_path / name) is wanted


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("pair", "form"), list(product(RUNS, PLAIN)))
def test_operations_that_pile_up(pair: tuple[str, str], form: str, tmp_path: Path) -> None:
    for body, wanted, name in zip(pair, (True, False), "ab", strict=True):
        assert told("DLG108", GRAPH, BUILT, body, ("x", "w", "y", "session"), form, tmp_path / name) is wanted


@pytest.mark.parametrize("count", ["1", "10", "0, 3"])
def test_short_loops_leave_nothing_behind(count: str, tmp_path: Path) -> None:
    body = RUNS[0][0].replace("range(1000)", f"range({count})")
    assert not told("DLG108", GRAPH, BUILT, body, ("x", "w", "y", "session"), "plain", tmp_path / "a")


KERAS = "import keras\nimport numpy as np\n"
PREDICTS = "model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])\nrows = np.random.rand(100, 8)"
#: What goes through samples → whether it predicts each by itself although all are there.
LOOPS = {
    "for row in rows:\n    print(model.predict(row[None, :]))": True,
    "for row in rows:\n    print(model.predict(np.expand_dims(row, 0), verbose=0))": True,
    "def score(row):\n    return model.predict(row[None, :])\n\nfor row in rows:\n    print(score(row))": True,
    "for row in rows:\n    print(model(row[None, :]))": False,
    "for start in range(0, 100, 10):\n    print(model.predict(rows[start : start + 10]))": False,
    "state = rows[:1]\nfor number in range(100):\n    state = state + model.predict(state)": False,
    "state = rows[:1]\nfor row in rows:\n    state = state + model.predict(state)": False,
    "for row in rows:\n    row = row + model.predict(row[None, :])": False,
    "print(model.predict(rows))": False,
}


@pytest.mark.parametrize("form", ["plain", "renamed", "in_function", "in_guard", "in_helper", "in_other_file", "aliased"])
@pytest.mark.parametrize("body", LOOPS)
def test_predictions_of_single_samples(body: str, form: str, tmp_path: Path) -> None:
    files = FORMS[form](Case("DLG105", KERAS, PREDICTS, body, ("model", "rows")))
    assert ("DLG105" in found(files, tmp_path, ["DLG105"])) is LOOPS[body]
