"""Optimizers for modules that were frozen before: the loop that freezes the backbone comes behind the new head."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS: Final = "import torch\nfrom torch import nn"
SETUP: Final = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 6), nn.ReLU())
        self.head = nn.Linear(6, 10)

    def forward(self, x):
        return self.head(self.body(x))


model = Net()
data = torch.randn(16, 8)
"""
HEAD: Final = "model.head = nn.Linear(6, 2)\n"
FREEZE: Final = {
    "loop": "for p in model.parameters():\n    p.requires_grad = False\n",
    "method": "model.requires_grad_(False)\n",
}
GIVEN: Final = {
    "all": "model.parameters()",
    "filter": "filter(lambda p: p.requires_grad, model.parameters())",
    "comprehension": "[p for p in model.parameters() if p.requires_grad]",
    "group": "[{'params': model.parameters(), 'lr': 0.1}]",
}
MADE: Final = "optimizer = torch.optim.SGD({given}, lr=0.1)\n"
TRAIN: Final = (
    "for _ in range(5):\n    optimizer.zero_grad()\n    model(data).square().mean().backward()\n    optimizer.step()\n"
)


def is_told(body: str, form: str, folder: Path) -> bool:
    case = Case("DLO113", IMPORTS, SETUP, body, ("model", "data"))
    return bool(found(FORMS[form](case), folder, ["DLO113"]))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("freezing", FREEZE)
@pytest.mark.parametrize("given", GIVEN)
def test_a_head_that_is_frozen_with_the_rest(given: str, freezing: str, form: str, tmp_path: Path) -> None:
    made = MADE.format(given=GIVEN[given])
    assert is_told(HEAD + FREEZE[freezing] + made + TRAIN, form, tmp_path)
    assert not is_told(FREEZE[freezing] + HEAD + made + TRAIN, form, tmp_path)


#: What lets something be trained after all, or may do so.
THAWED: Final = (
    "model.head.requires_grad_(True)\n",
    "for p in model.head.parameters():\n    p.requires_grad = True\n",
    "model.head.bias.requires_grad = True\n",
    "model.add_module('head', nn.Linear(6, 2))\n",
    "model.body.append(nn.Linear(6, 6))\n",
    "model.shift = nn.Parameter(torch.zeros(2))\n",
    "prepare(model)\n",
    "if data.sum() > 0:\n    model.head = nn.Linear(6, 2)\n",
)


@pytest.mark.parametrize("thawed", THAWED)
@pytest.mark.parametrize("given", ["all", "filter"])
def test_what_is_trained_after_all(given: str, thawed: str, tmp_path: Path) -> None:
    imports = f"{IMPORTS}\nfrom adapters import prepare"
    body = FREEZE["loop"] + thawed + MADE.format(given=GIVEN[given]) + TRAIN
    assert not found(FORMS["plain"](Case("DLO113", imports, SETUP, body, ("model", "data"))), tmp_path, ["DLO113"])


@pytest.mark.parametrize(
    "freezing",
    [
        "for p in model.body.parameters():\n    p.requires_grad = False\n",
        "for name, p in model.named_parameters():\n    if 'head' not in name:\n        p.requires_grad = False\n",
        "if data.sum() > 0:\n    model.requires_grad_(False)\n",
        "for p in list(model.parameters())[:-2]:\n    p.requires_grad = False\n",
    ],
)
def test_a_part_that_is_frozen(freezing: str, tmp_path: Path) -> None:
    assert not is_told(HEAD + freezing + MADE.format(given=GIVEN["filter"]) + TRAIN, "plain", tmp_path)
