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


SINCE = {
    "moved at once": ("wrapped = nn.DataParallel(Net()).to('cuda')\n", "print(wrapped{0}.layer)"),
    "set to a mode": (
        "wrapped = nn.DataParallel(Net()).cuda().train()\n",
        "for p in wrapped{0}.layer.parameters():\n    print(p)",
    ),
    "in the first process": (
        "rank = len(data)\nwrapped = nn.DataParallel(Net())\n",
        "if rank == 0:\n    print(wrapped{0}.encode(data))",
    ),
    "in both arms": (
        "wrapped = nn.DataParallel(Net())\n",
        "if len(data) > 3:\n    print(1)\nelse:\n    print(wrapped{0}.layer)",
    ),
}
#: Programs that ask for the wrapper.
ASKED = (
    "if isinstance(wrapped, Net):\n    print(wrapped.layer)",
    "if not hasattr(wrapped, 'module'):\n    print(wrapped.layer)",
    "parallel = len(data) > 3\nif parallel:\n    print(1)\nelse:\n    print(wrapped.layer)",
    "print(wrapped.module.layer if hasattr(wrapped, 'module') else wrapped.layer)",
    "inner = getattr(wrapped, 'module', wrapped)\nprint(inner.layer)",
    "try:\n    print(wrapped.layer)\nexcept AttributeError:\n    print(wrapped.module.layer)",
)


@pytest.mark.parametrize("form", ["plain", "in_function", "in_guard", "in_with", "aliased"])
@pytest.mark.parametrize("case", SINCE)
def test_attributes_of_wrappers_that_are_moved_or_read_under_other_tests(case: str, form: str, tmp_path: Path) -> None:
    made, use = SINCE[case]
    assert told("DLG107", made + use.format(""), form, tmp_path / "a")
    assert not told("DLG107", made + use.format(".module"), form, tmp_path / "b")


@pytest.mark.parametrize("use", ASKED)
def test_programs_that_ask_for_the_wrapper(use: str, tmp_path: Path) -> None:
    assert not told("DLG107", f"wrapped = nn.DataParallel(Net())\n{use}", "plain", tmp_path / "a")
    helper = use.replace("\n", "\n    ").replace("wrapped", "model")
    text = f"def helper(model):\n    {helper}\n\n\nwrapped = nn.DataParallel(Net())\nhelper(wrapped)\n"
    assert not told("DLG107", text, "plain", tmp_path / "b")


HOLDER = """class Holder:
    def __init__(self):
        self.net = Net()
        self.prepare()
        self.net = nn.DataParallel(self.net)

    def prepare(self):
        print(self.net{0}.layer)

    def run(self):
        {2}print(self.net{1}.layer)


Holder().run()
"""


@pytest.mark.parametrize(
    ("before", "behind", "first", "is_told"),
    [
        ("", "", "", True),
        ("", ".module", "", False),
        ("", "", "self.net = self.net.module\n        ", False),
        ("", "", "if type(self.net) is Net: ", False),
    ],
)
def test_wrappers_that_objects_hold(before: str, behind: str, first: str, is_told: bool, tmp_path: Path) -> None:
    assert told("DLG107", HOLDER.format(before, behind, first), "plain", tmp_path / "a") is is_told


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
