"""Rows of features and labels in orders of their own, in every structural form, beside those that stay together."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import random
import keras
import numpy as np
import torch
from sklearn.linear_model import Ridge
from sklearn.model_selection import train_test_split
from sklearn.utils import shuffle"""
DATA = {
    "known": "x, y = np.random.rand(64, 4), np.random.rand(64)",
    "files": "x, y = np.load('x.npy'), np.load('y.npy')",
}
ORDERS = {
    "in place": "np.random.shuffle(x)\nnp.random.shuffle(y)",
    "by one generator": "rng = np.random.default_rng()\nrng.shuffle(x)\nrng.shuffle(y)",
    "copies": "x = shuffle(x)\ny = shuffle(y)",
    "permutations": "x = x[np.random.permutation(64)]\ny = y[np.random.permutation(64)]",
    "numbers of rows": "p, q = torch.randperm(64), torch.randperm(64)\nx, y = torch.as_tensor(x)[p], torch.as_tensor(y)[q]",
}
USES = {
    "a split": "a, b, c, d = train_test_split(x, y)",
    "a regression": "Ridge().fit(x, y)",
    "a data set": "data = torch.utils.data.TensorDataset(torch.as_tensor(x), torch.as_tensor(y).float())",
}
CASES = {
    f"{data}, {order}, {use}": Case("DLD110", IMPORTS, DATA[data], f"{ORDERS[order]}\n{USES[use]}", ("x", "y"))
    for data, order, use in product(DATA, ORDERS, USES)
}
TOGETHER = (
    "x, y = shuffle(x, y)",
    "p = np.random.permutation(64)\nx, y = x[p], y[p]",
    "np.random.seed(1)\nnp.random.shuffle(x)\nnp.random.seed(1)\nnp.random.shuffle(y)",
    "state = np.random.get_state()\nnp.random.shuffle(x)\nnp.random.set_state(state)\nnp.random.shuffle(y)",
    "np.random.RandomState(3).shuffle(x)\nnp.random.RandomState(3).shuffle(y)",
    "x = shuffle(x, random_state=0)\ny = shuffle(y, random_state=0)",
    "np.random.shuffle(x)\ny = x.sum(axis=1)",
    "if len(x) > 9:\n    np.random.shuffle(x)\nelse:\n    np.random.shuffle(y)",
    "x, y, c, d = train_test_split(x, y)\np = np.random.permutation(len(x))\nx, y = x[p], y[p]",
)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CASES)
def test_two_orders(name: str, form: str, tmp_path: Path) -> None:
    assert "DLD110" in found(FORMS[form](CASES[name]), tmp_path, ["DLD110"])


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("order", TOGETHER)
def test_one_order(order: str, data: str, use: str, tmp_path: Path) -> None:
    assert not found({"main.py": "\n".join((IMPORTS, DATA[data], order, USES[use], ""))}, tmp_path, ["DLD110"])


LOADED = {
    "files": "x, y = np.load('x.npy'), np.load('y.npy')",
    "one table": "import pandas as pd\ntable = pd.read_csv('rows.csv')\nx, y = table[['a', 'b']].values, table['c'].values",
    "known data": "(x, y), _ = keras.datasets.mnist.load_data()",
}
ONE_SIDED = {
    "samples": "np.random.shuffle(x)",
    "labels": "np.random.shuffle(y)",
    "changed samples": "x = x / 255.0\nnp.random.default_rng(0).shuffle(x)",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("data", "order", "use"), list(product(LOADED, ONE_SIDED, USES)))
def test_one_of_two_is_shuffled(data: str, order: str, use: str, form: str, tmp_path: Path) -> None:
    case = Case("DLD110", IMPORTS, LOADED[data], f"{ONE_SIDED[order]}\n{USES[use]}", ("x", "y"))
    assert "DLD110" in found(FORMS[form](case), tmp_path, ["DLD110"])


SOUND = (
    "data = np.load('rows.npy')\nnp.random.shuffle(data)\nx, y = data[:, :4], data[:, 4]",
    "x = np.load('x.npy')\nnp.random.shuffle(x)\ny = (x.sum(axis=1) > 0) * 1.0",
    "names = open('names.txt').read().split()\nrandom.shuffle(names)\nx, y = [load(n) for n in names], [tag(n) for n in names]",
    "x, y = np.load('x.npy'), np.load('y.npy')\npermuted_y = y.copy()\nnp.random.shuffle(permuted_y)\ny = permuted_y",
    "x, y = np.random.rand(64, 4), np.random.rand(64)\nnp.random.shuffle(x)",
    "x, y = np.load('x.npy'), somewhere()\nnp.random.shuffle(x)",
    *(
        f"{load}\nother = {copy}\nnp.random.shuffle(other)\ny = other"
        for load in (DATA["files"], LOADED["known data"])
        for copy in ("y.copy()", "np.array(y)", "np.copy(y)", "x.copy()")
    ),
)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("data", SOUND)
def test_what_is_shuffled_before_it_is_taken_apart(data: str, use: str, tmp_path: Path) -> None:
    assert not found({"main.py": "\n".join((IMPORTS, data, USES[use], ""))}, tmp_path, ["DLD110"])


@pytest.mark.parametrize("load", ["np.load('{}.npy')", "keras.datasets.{}.load_data()[0][0]"])
def test_pictures_of_two_kinds(load: str, tmp_path: Path) -> None:
    first, second = (load.format(name) for name in ("mnist", "fashion_mnist"))
    text = f"""{IMPORTS}
a, b = {first}, {second}
np.random.shuffle(b)
data = torch.utils.data.TensorDataset(torch.as_tensor(a), torch.as_tensor(b))
"""
    assert not found({"main.py": text}, tmp_path, ["DLD110"])


LOSSES = {
    "all rows": "loss = nn.functional.cross_entropy(net(torch.as_tensor(x).float()), torch.as_tensor(y).long())",
    "by hand": """for start in range(0, 64, 8):
    rows, marks = torch.as_tensor(x[start : start + 8]).float(), torch.as_tensor(y[start : start + 8]).long()
    loss = nn.functional.cross_entropy(net(rows), marks)
    loss.backward()""",
    "by an object": """criterion = nn.BCEWithLogitsLoss()
for step in range(3):
    part = slice(step * 8, step * 8 + 8)
    loss = criterion(net(torch.as_tensor(x[part]).float())[:, 0], torch.as_tensor(y[part]).float())
    loss.backward()""",
}
NET = "net = nn.Linear(4, 3)"
# Rows cut out of data of which nothing is known are not followed.
IN_LOSSES = [(data, loss) for data, loss in product(DATA, LOSSES) if data == "known" or loss == "all rows"]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("data", "loss"), IN_LOSSES)
def test_two_orders_in_a_loss(data: str, order: str, loss: str, form: str, tmp_path: Path) -> None:
    imports = f"{IMPORTS}\nfrom torch import nn"
    case = Case("DLD110", imports, f"{NET}\n{DATA[data]}", f"{ORDERS[order]}\n{LOSSES[loss]}", ("x", "y", "net"))
    assert "DLD110" in found(FORMS[form](case), tmp_path, ["DLD110"])


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("order", [*TOGETHER, "x = x[np.random.permutation(64)]", "negatives = np.random.permutation(y)"])
def test_one_order_in_a_loss(order: str, data: str, loss: str, tmp_path: Path) -> None:
    text = "\n".join((IMPORTS, "from torch import nn", NET, DATA[data], order, LOSSES[loss], ""))
    assert not found({"main.py": text}, tmp_path, ["DLD110"])


@pytest.mark.parametrize("purpose", ["permuted_labels", "random_labels", "negatives"])
def test_other_orders_on_purpose(purpose: str, tmp_path: Path) -> None:
    order = f"x = np.random.permutation(x)\n{purpose} = torch.as_tensor(np.random.permutation(y)).long()"
    loss = f"loss = nn.functional.cross_entropy(net(torch.as_tensor(x).float()), {purpose})"
    text = "\n".join((IMPORTS, "from torch import nn", NET, DATA["files"], order, loss, ""))
    assert not found({"main.py": text}, tmp_path, ["DLD110"])
