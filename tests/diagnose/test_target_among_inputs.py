"""A column of the input that is the target."""

from __future__ import annotations

import numpy as np
import pytest

from dllint.diagnose.probes.revealing import revealing_columns

TORCH = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(400, 5)
y = (x[:, 0] + x[:, 1] > 0).long()
table = {table}
loader = DataLoader(TensorDataset(table, y), batch_size=40, shuffle=True)
net = nn.Linear(table.shape[1], 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for rows, labels in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(rows), labels).backward()
        optimizer.step()
"""
KERAS = """
import keras
import numpy as np

draw = np.random.default_rng(0)
x = draw.normal(size=(400, 5)).astype("float32")
y = (x[:, 0] * 3 + draw.normal(size=400)).astype("float32")
net = keras.Sequential([keras.Input((6,)), keras.layers.Dense(1)])
net.compile("adam", "mse")
net.fit(np.column_stack([x, y * 2 + 1]), y, epochs=3, verbose=0)
"""


def told(done):
    return [finding for finding in done.findings if finding["symptom"] == "target among the inputs"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("column", ["y", "(y - y.float().mean()) / y.float().std()"])
def test_a_loader_of_tables_with_the_target_in_them(diagnose, column):
    text = TORCH.format(table=f"torch.column_stack([x, {column}]).float()")
    (finding,) = told(diagnose(text))
    assert "DataLoader(" in text.splitlines()[finding["location"]["row"] - 1]
    assert "Column 5" in finding["message"]


@pytest.mark.parametrize("table", ["x"])
def test_tables_without_it(diagnose, table):
    assert not told(diagnose(TORCH.format(table=table)))


@pytest.mark.oracle
def test_arrays_of_fit(diagnose):
    (finding,) = told(diagnose(KERAS))
    assert "net.fit(" in KERAS.splitlines()[finding["location"]["row"] - 1]


def test_columns_that_are_the_target_up_to_scale_and_offset():
    x = np.random.default_rng(0).normal(size=(50, 4)).astype("float32")
    assert revealing_columns(x, x[:, 2] * 3 - 1) == (2,)
    assert revealing_columns(x, x[:, 2:3] * -1) == (2,)
    assert revealing_columns(np.hstack([x, x[:, :1]]), x[:, 0]) == (0, 4)
    # One that decides the target, one that is nearly the target, and batches that say nothing.
    assert revealing_columns(x, x[:, 2] > 0) == ()
    assert revealing_columns(x, x[:, 2] + 0.001 * x[:, 1]) == ()
    assert revealing_columns(x[:8], x[:8, 2]) == ()
    assert revealing_columns(x, np.zeros(50)) == ()
    assert revealing_columns(np.zeros_like(x), x[:, 2]) == ()
    assert revealing_columns(x[:, 0], x[:, 0]) == ()
