"""Random models in the place of trained ones are found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import copy

import torch
import torchvision
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x)
"""
TRAIN = "for _ in range(100):\n    optimizer.zero_grad()\n    model({x}).square().mean().backward()\n    optimizer.step()\n"
IMAGES = "torch.randn(2, 3, 64, 64)"
FREEZE = (
    "for value in model.parameters():\n    value.requires_grad = False\n",
    "for name, value in model.named_parameters():\n    value.requires_grad = False\n",
    "model.requires_grad_(False)\n",
)
MADE = "model = torchvision.models.resnet18({weights})\n"
HEAD = "model.fc = nn.Linear(512, 2)\noptimizer = torch.optim.SGD(model.fc.parameters(), lr=0.1)\n" + TRAIN.format(x=IMAGES)
OPTIMIZER = "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n" + TRAIN.format(x="data")
#: What comes after the training → whether a random model has taken the place of the trained one.
AFTER = {
    "model = Net()\nprint(model(data))": True,
    "fresh = Net()\nfresh.eval()\nprint(fresh(data))": True,
    "torch.save(model.state_dict(), 'm.pt')\nmodel = Net()\nprint(model(data))": True,
    "print(model(data))": False,
    "fresh = Net()\nfresh.load_state_dict(model.state_dict())\nprint(fresh(data))": False,
    "weights = model.state_dict()\nmodel = Net()\nmodel.load_state_dict(weights)\nprint(model(data))": False,
    "fresh = Net()\nprint(fresh(data), model(data))": False,
    "fresh = copy.deepcopy(model)\nprint(fresh(data))": False,
    "fresh = Net()\nprint(model(data))": False,
}


def told(
    body: str, form: str, folder: Path, setup: str = "data = torch.randn(4, 8)", names: tuple[str, ...] = ("data",)
) -> bool:
    folder.mkdir()
    return "DLI107" in found(FORMS[form](Case("DLI107", IMPORTS, setup, body, names)), folder, ["DLI107"])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("freeze", "form"), list(product(FREEZE, FORMS)))
def test_frozen_random_models(freeze: str, form: str, tmp_path: Path) -> None:
    assert told(MADE.format(weights="") + freeze + HEAD, form, tmp_path / "a")
    assert told(MADE.format(weights="weights=None") + freeze + HEAD, form, tmp_path / "b")
    assert not told(MADE.format(weights="weights='DEFAULT'") + freeze + HEAD, form, tmp_path / "c")
    loaded = "model.load_state_dict(torch.load('m.pt'))\n"
    assert not told(MADE.format(weights="") + loaded + freeze + HEAD, form, tmp_path / "d")
    assert not told(MADE.format(weights="") + freeze + "model.requires_grad_(True)\n" + HEAD, form, tmp_path / "e")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("after", "form"), list(product(AFTER, FORMS)))
def test_models_that_replace_trained_ones(after: str, form: str, tmp_path: Path) -> None:
    assert told(f"model = Net()\n{OPTIMIZER}{after}", form, tmp_path / "a") is AFTER[after]
