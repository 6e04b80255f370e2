"""Epochs that repeat each other are executed twice and then stand for all, whatever is measured or collected in them."""

from __future__ import annotations

from typing import Final

import pytest

from dllint.ir.program import Program
from tests.lower.tracing import lower, program

_HEAD: Final = """
import time
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Scores:
    def __init__(self, loss):
        self.loss = loss


def training(epochs):
    net, criterion = nn.Linear(8, 1), nn.MSELoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(torch.rand(64, 8), torch.rand(64, 1)), batch_size=16)
    history, best, count, name, last, table, scores = [], 1e9, 0, "", None, dict(), Scores(0.0)
    for epoch in range(epochs):
        total, began = 0.0, time.time()
        for i, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
            count += 1
{inner}
        mean = total / len(loader)
{outer}
"""
#: What else is done in an iteration, and after it.
_INNER: Final = {
    "nothing": "pass",
    "a text": "name = 'step_%d.pt' % count",
    "a list": "history.append(loss.item())",
    "a running mean": "best = 0.9 * best + 0.1 * loss.item()",
    "an object": "scores = Scores(loss.item())",
    "a tensor": "last = loss.detach()",
}
_OUTER: Final = {
    "nothing": "pass",
    "a text": "name = f'{name}{epoch}'",
    "a list": "history = history + [mean]",
    "the best": "best = min(best, mean)",
    "the best, asked": "if mean < best:\n            best, name = mean, f'best_{epoch}.pt'",
    "a mark": "mark = ' *' if mean < best else ''\n        print(mark)",
    "a time": "elapsed = time.time() - began\n        print(elapsed)",
    "a table": "table[f'epoch {epoch}'] = mean",
    "an object": "scores = Scores(mean)",
}


def _source(inner: str, outer: str, epochs: int) -> str:
    return _HEAD.format(inner=f"            {inner}", outer=f"        {outer}") + f"\n\ntraining({epochs})\n"


def _length(inner: str, outer: str, epochs: int) -> int:
    traced = program(_source(inner, outer, epochs))
    assert any(op.kind == "mse_loss" for op in traced.ops)
    return len(traced.trace)


@pytest.mark.parametrize("outer", _OUTER)
@pytest.mark.parametrize("inner", _INNER)
def test_many_epochs_are_as_much_work_as_a_few(inner: str, outer: str):
    assert _length(_INNER[inner], _OUTER[outer], 100) == _length(_INNER[inner], _OUTER[outer], 4)


_SWITCHED: Final = """
import torch
from torch import nn
net, other = nn.Linear(8, 1), nn.Linear(8, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y, warm, phase = torch.rand(16, 8), torch.rand(16, 1), True, 'first'
for epoch in range({epochs}):
    loss = ((net(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    if {late}:
        other(torch.rand(3, 9))
    if epoch == 5:
        warm, phase = False, 'second'
"""


def _faults(traced: Program) -> int:
    return sum(bool(op.faults) for op in traced.ops)


@pytest.mark.parametrize("late", ["epoch == 7", "epoch > 7", "not warm", "phase == 'second'", "epoch % 4 == 3"])
def test_what_only_a_late_epoch_does_is_executed(late: str):
    assert sum(_faults(traced) for traced in lower(_SWITCHED.format(epochs=20, late=late)).programs) > 0
