"""Weights that a parallel wrapper saves and a bare model loads, and the reverse."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.rules.training.variants import MAIN, found

TEXT = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x)


def train(path):
    model = {first}
    torch.save({saved}.state_dict(), path)


def predict(path):
    network = {second}
    {load}
    return network(torch.zeros(4, 8))


train("{folder}/net.pt")
print(predict("{folder}/net.pt").shape)
"""
BARE, WRAPPED = "Net()", "nn.DataParallel(Net())"
LOAD = "network.load_state_dict(torch.load(path, weights_only=True))"
STRIPPED = (
    "state = torch.load(path, weights_only=True)\n"
    "    network.load_state_dict({name.removeprefix('module.'): value for name, value in state.items()})"
)
CASES = [
    (WRAPPED, "model", BARE, LOAD, True),
    (BARE, "model", WRAPPED, LOAD, True),
    ("nn.DataParallel(Net()).eval()", "model", BARE, LOAD.replace("path, ", "path, map_location='cpu', "), True),
    ("Net()\n    model = nn.DataParallel(model)", "model", BARE, LOAD, True),
    (WRAPPED, "model.module", BARE, LOAD, False),
    (WRAPPED, "model", WRAPPED, LOAD, False),
    (BARE, "model", BARE, LOAD, False),
    (BARE, "model", WRAPPED, LOAD.replace("network.", "network.module."), False),
    (WRAPPED, "model", BARE, STRIPPED, False),
    (WRAPPED, "model", BARE, LOAD.replace("True))", "True), strict=False)"), False),
    (WRAPPED + "\n    model = model.module", "model", BARE, LOAD, False),
]


@pytest.mark.parametrize(("first", "saved", "second", "load", "told"), CASES)
def test_weights_of_wrappers(first: str, saved: str, second: str, load: str, told: bool, tmp_path: Path) -> None:
    text = TEXT.format(first=first, saved=saved, second=second, load=load, folder="runs")
    assert bool(found({MAIN: text}, tmp_path, ["DLR105"])) is told


@pytest.mark.oracle
@pytest.mark.skipif(torch.cuda.is_available(), reason="a wrapper on a GPU moves its model")
@pytest.mark.parametrize(("first", "saved", "second", "load", "told"), CASES)
def test_torch_refuses_what_is_told(first: str, saved: str, second: str, load: str, told: bool, tmp_path: Path) -> None:
    text = TEXT.format(first=first, saved=saved, second=second, load=load, folder=tmp_path.as_posix())
    refused = False
    try:
        exec(compile(text, MAIN, "exec"), {})
    except RuntimeError:
        refused = True
    assert refused is told
