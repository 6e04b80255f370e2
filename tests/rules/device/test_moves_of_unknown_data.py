"""Moves whose results are dropped, of data that nothing is known about but that layers take them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

CODE = "DLG101"
TEXT = """import torch
from torch import nn
from torch.nn import functional as F
from corpus import loader, network


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(8, 4), nn.ReLU())
        self.same = nn.Identity()

    def forward(self, given):
        return self.inner(given)


def train(model, loader, device):
    model, criterion = Net().to(device), nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters())
    for {names} in loader:
        {move}
        optimizer.zero_grad()
        {apply}
        loss.backward()
        optimizer.step()
"""
MOVES = (
    "{0}.to(device)",
    "{0}.cuda()",
    "{0}.to('cuda', non_blocking=True)",
    "{0}.float()",
    "if device != 'cpu':\n            {0}.to(device)",
)
TAKEN = (
    ("x, y", "x", "loss = criterion(model(x), y.to(device))"),
    ("x, y", "y", "loss = criterion(network(x.to(device)), y)"),
    ("features, goals", "goals", "loss = F.mse_loss(network(features), goals)"),
    ("number, (x, y)", "y", "loss = criterion(network(x), y)"),
    ("batch", "batch", "loss = model(batch).sum()"),
)
#: Objects of other libraries may move themselves: nothing shows what these are.
GIVEN_ON = (
    ("batch", "batch", "loss = network(batch)"),
    ("batch", "batch", "loss = model(batch.x).sum()"),
    ("batch", "batch", "loss = model(batch['x']).sum()"),
    ("batch, y", "batch", "loss = criterion(network(batch), y)"),
    ("batch", "batch", "loss = network(model.same(batch))"),
    ("batch", "batch", "loss = criterion(model(batch), 0) if torch.is_tensor(batch) else network(batch)"),
    ("x, y", "network", "loss = criterion(network(x), y)"),
)


def codes(names: str, moved: str, move: str, apply: str, tmp_path: Path) -> list[str]:
    text = TEXT.format(names=names, move=move.format(moved), apply=apply)
    return found({"main.py": text}, tmp_path, (CODE,))


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize(("names", "moved", "apply"), TAKEN)
def test_moves_of_what_a_layer_takes_are_told(names: str, moved: str, move: str, apply: str, tmp_path: Path):
    assert codes(names, moved, move, apply, tmp_path) == [CODE]
    assert codes(names, moved, "{0} = {0}.to(device)", apply, tmp_path) == []


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize(("names", "moved", "apply"), GIVEN_ON)
def test_moves_of_what_may_move_itself_are_silent(names: str, moved: str, move: str, apply: str, tmp_path: Path):
    assert codes(names, moved, move, apply, tmp_path) == []
