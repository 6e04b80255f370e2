"""Weights that a parallel wrapper saves and a bare model loads, and the reverse."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.rules.training.variants import MAIN, found

TEXT = """from collections import OrderedDict

import torch
from torch import nn
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present as strip


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x)


class Average(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x)


class Parallel(nn.DataParallel):
    pass


def rename(state, prefix, *others):
    for name in list(state):
        state[name.removeprefix("module.")] = state.pop(name)


class Renaming(Net):
    def _load_from_state_dict(self, state, prefix, *others):
        rename(state, prefix, *others)
        super()._load_from_state_dict(state, prefix, *others)


def read(path):
    found = torch.load(path, weights_only=True)
    return found


def restore(model, weights):
    model.load_state_dict(weights)


def restore_bare(model, weights):
    strip(weights, "module.")
    model.load_state_dict(weights)


def bare(path):
    found = torch.load(path, weights_only=True)
    strip(found, "module.")
    return found


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
NAMED = "state = torch.load(path, weights_only=True)\n    {between}\n    network.load_state_dict(state)"
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
    (WRAPPED, "model", BARE, NAMED.format(between="del path"), True),
    (WRAPPED, "model", BARE, "network.load_state_dict(read(path))", True),
    (WRAPPED, "model", BARE, "restore(network, torch.load(path, weights_only=True))", True),
    (WRAPPED, "model", BARE, "state = read(path)\n    restore(network, weights=state)", True),
    (WRAPPED, "model", BARE, "state = bare(path)\n    restore(network, state)", False),
    (WRAPPED, "model", BARE, "state = read(path)\n    strip(state, 'module.')\n    restore(network, state)", False),
    (WRAPPED, "model", BARE, "restore_bare(network, torch.load(path, weights_only=True))", False),
    (WRAPPED, "model", BARE, NAMED.format(between="print(state['module.layer.bias'])"), True),
    (WRAPPED, "model", BARE, NAMED.format(between="strip(state, 'module.')"), False),
    (
        WRAPPED,
        "model",
        BARE,
        NAMED.format(between="for name in list(state):\n        state[name[7:]] = state.pop(name)"),
        False,
    ),
    (WRAPPED, "model", BARE, NAMED.format(between="same = state\n    strip(same, 'module.')"), False),
    (WRAPPED, "model", BARE, "network.load_state_dict(bare(path))", False),
    (WRAPPED, "model", "Average(Net())", LOAD, False),
    (WRAPPED, "model", "nn.Sequential(OrderedDict(module=Net()))", LOAD, False),
    ("Average(Net())", "model", WRAPPED, LOAD, False),
    ("Parallel(Net())", "model", WRAPPED, LOAD, False),
    (WRAPPED, "model", "Renaming()", LOAD, False),
    (WRAPPED, "model", f"{BARE}\n    network._register_load_state_dict_pre_hook(rename)", LOAD, False),
]


@pytest.mark.parametrize(("first", "saved", "second", "load", "told"), CASES)
def test_weights_of_wrappers(first: str, saved: str, second: str, load: str, told: bool, tmp_path: Path) -> None:
    text = TEXT.format(first=first, saved=saved, second=second, load=load, folder="runs")
    assert bool(found({MAIN: text}, tmp_path, ["DLR105"])) is told


@pytest.mark.parametrize(
    ("written", "read", "told"),
    [
        ("path", "path", True),
        ("str(path)", "str(path)", False),
        ("path", "where.other()", False),
    ],
)
def test_weights_of_wrappers_under_a_path_that_is_not_known(written: str, read: str, told: bool, tmp_path: Path) -> None:
    text = TEXT.format(first=WRAPPED, saved="model", second=BARE, load=LOAD, folder="runs").partition('train("runs')[0]
    text += f"import where\n\npath = where.place()\ntrain({written})\npredict({read})\n"
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
