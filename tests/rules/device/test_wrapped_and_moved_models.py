"""Misused wrappers, late moves and unseeded workers are found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import random

import numpy
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x)

    def encode(self, x):
        return self.layer(x).relu()


class Noisy(torch.utils.data.Dataset):
    def __len__(self):
        return 100

    def __getitem__(self, number):
        return torch.ones(8) * numpy.random.rand()


class Plain(torch.utils.data.Dataset):
    def __len__(self):
        return 100

    def __getitem__(self, number):
        return torch.ones(8) * number
"""
WRAPPERS = ("nn.DataParallel", "nn.parallel.DistributedDataParallel")
USES = (
    "print(wrapped{0}.encode(data))",
    "for _ in range(3):\n    print(wrapped{0}.layer)",
    "with torch.no_grad():\n    y = wrapped{0}.encode(data)",
)
MAKE = "net = Net()\noptimizer = torch.optim.{optimizer}(net.parameters(), lr=0.1)\n"
MOVES = ("net.cuda()", "net.to('cuda')", "net = net.to(torch.device('cuda'))")
SEEDS = ("numpy.random.seed(0)", "random.seed(0)\nnumpy.random.seed(1)")
LOADER = "for batch in torch.utils.data.DataLoader({data}(), batch_size=4, num_workers={workers}{more}):\n    print(batch)"


def told(code: str, body: str, form: str, folder: Path) -> bool:
    folder.mkdir()
    return code in found(FORMS[form](Case(code, IMPORTS, "data = torch.randn(4, 8)", body, ("data",))), folder, [code])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("wrapper", "use", "form"), list(product(WRAPPERS, USES, FORMS)))
def test_attributes_of_wrappers(wrapper: str, use: str, form: str, tmp_path: Path) -> None:
    wrapped = f"wrapped = {wrapper}(Net())\n"
    assert told("DLG107", wrapped + use.format(""), form, tmp_path / "a")
    assert not told("DLG107", wrapped + use.format(".module"), form, tmp_path / "b")
    assert not told("DLG107", f"{wrapped}wrapped = Net()\n{use.format('')}", form, tmp_path / "c")
    assert not told("DLG107", f"{wrapped}print(wrapped(data), wrapped.training, wrapped.parameters())", form, tmp_path / "d")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("move", "optimizer", "form"), list(product(MOVES, ("SGD", "Adam"), FORMS)))
def test_models_that_are_moved_late(move: str, optimizer: str, form: str, tmp_path: Path) -> None:
    make = MAKE.format(optimizer=optimizer)
    assert told("DLG111", make + move, form, tmp_path / "a")
    first, second = make.splitlines()
    assert not told("DLG111", f"{first}\n{move}\n{second}", form, tmp_path / "b")
    assert not told("DLG111", f"{make}other = Net()\nother.cuda()\nnet.to(torch.float16)", form, tmp_path / "c")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("seed", "form"), list(product(SEEDS, FORMS)))
def test_workers_that_no_seed_reaches(seed: str, form: str, tmp_path: Path) -> None:
    for number, (data, workers, more, before, wanted) in enumerate(
        (
            ("Noisy", 2, "", seed, True),
            ("Noisy", 0, "", seed, False),
            ("Plain", 2, "", seed, False),
            ("Noisy", 2, ", generator=torch.Generator()", seed, False),
            ("Noisy", 2, "", f"{seed}\ntorch.manual_seed(0)", False),
            ("Noisy", 2, "", "", False),
        )
    ):
        body = f"{before}\n{LOADER.format(data=data, workers=workers, more=more)}"
        assert told("DLR103", body, form, tmp_path / str(number)) is wanted
