"""Losses of unknown models that counters, objects and tables of the program add up, with what arithmetic makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

PROGRAM = """import torch
from collections import defaultdict
from torch import nn


class Meter:
    def __init__(self):
        self.total = 0

    def add(self, value, n=1):
        {add}


def train(model, optimizer, loader):
    meter, table, total = Meter(), defaultdict(float), 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        {keep}
    return meter.total, table, total
"""
ADDS = ("self.total += value * n", "self.total = self.total + n * value", "scaled = value / n; self.total += scaled")
#: How a value comes into a sum.
KEPT = ("meter.add({0}, x.size(0))", "total += {0} * len(x)", "total = total + 2 * {0}")
#: What is told of a value, and what has no graph.
VALUES = {"loss": True, "(loss / 4)": True, "loss.detach()": False, "loss.item()": False, "float(loss)": False,
          "torch.tensor(loss)": False, "(loss > 1)": False, "loss.data": False}  # fmt: skip


@pytest.mark.parametrize("add", ADDS)
@pytest.mark.parametrize("keep", KEPT)
@pytest.mark.parametrize("value", VALUES)
def test_what_is_computed_from_a_loss_has_its_graph(value: str, keep: str, add: str, tmp_path: Path) -> None:
    text = PROGRAM.format(add=add, keep=keep.format(value))
    assert ("DLO110" in found({MAIN: text}, tmp_path, ["DLO110"])) is VALUES[value]
