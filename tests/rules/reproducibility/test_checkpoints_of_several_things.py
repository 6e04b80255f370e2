"""Checkpoints of several things that `load_state_dict` is given as they were loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
import torch

from tests.rules.training.variants import FORMS, Case, found

IMPORTS: Final = "import torch\nfrom torch import nn"
MODEL: Final = "model = nn.Linear(8, 2)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)"
SAVED: Final = {
    "entry": "torch.save({'epoch': 3, 'net': model.state_dict()}, 'last.pt')\n",
    "several": "torch.save({'net': model.state_dict(), 'optimizer': optimizer.state_dict(), 'best': 0.5}, 'last.pt')\n",
    "named": "state = {'net': model.state_dict(), 'epoch': 1}\ntorch.save(state, 'last.pt')\n",
}
FAULTY: Final = (
    "loaded = torch.load('last.pt')\nmodel.load_state_dict(loaded)\n",
    "model.load_state_dict(torch.load('last.pt', map_location='cpu', weights_only=True))\n",
)
SOUND: Final = (
    "loaded = torch.load('last.pt')\nmodel.load_state_dict(loaded['net'])\n",
    "loaded = torch.load('other.pt')\nmodel.load_state_dict(loaded)\n",
    "model.load_state_dict(torch.load('last.pt'), strict=False)\n",
    "loaded = torch.load('last.pt')\nloaded = loaded['net']\nmodel.load_state_dict(loaded)\n",
    "try:\n    model.load_state_dict(torch.load('last.pt'))\nexcept RuntimeError:\n    print('several things')\n",
    "torch.save(model.state_dict(), 'last.pt')\nmodel.load_state_dict(torch.load('last.pt'))\n",
)


def is_told(body: str, form: str, folder: Path) -> bool:
    return bool(found(FORMS[form](Case("DLR105", IMPORTS, MODEL, body, ("model", "optimizer"))), folder, ("DLR105",)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("used", FAULTY)
@pytest.mark.parametrize("saved", SAVED)
def test_a_checkpoint_is_no_dict_of_weights(saved: str, used: str, form: str, tmp_path: Path) -> None:
    assert is_told(SAVED[saved] + used, form, tmp_path)


@pytest.mark.parametrize("used", SOUND)
@pytest.mark.parametrize("saved", SAVED)
def test_what_may_be_a_dict_of_weights(saved: str, used: str, tmp_path: Path) -> None:
    assert not is_told(SAVED[saved] + used, "plain", tmp_path)


#: A class whose method is given what is loaded, which another one may give it; ``{0}`` is what they call their object.
OWNED: Final = """
class Work:
    def __init__({0}):
        {0}.model = nn.Linear(8, 2)

    {decorator}
    def restore({1}model, state):
        model.load_state_dict(state)

    def run({0}):
        {0}.restore({0}.model, {given})


Work().run()
"""
LOADED: Final = "torch.load('last.pt')"


@pytest.mark.parametrize("name", ["self", "this", "model_of_mine"])
@pytest.mark.parametrize(("decorator", "is_static"), [("@staticmethod", True), ("# plain", False)])
@pytest.mark.parametrize(("given", "told"), [(LOADED, True), (f"{LOADED}['net']", False)])
def test_a_method_that_is_given_a_checkpoint(
    name: str, decorator: str, is_static: bool, given: str, told: bool, tmp_path: Path
) -> None:
    body = OWNED.format(name, "" if is_static else f"{name}, ", decorator=decorator, given=given)
    assert is_told(SAVED["entry"] + body, "plain", tmp_path) is told


def test_torch_refuses_such_a_dict() -> None:
    model = torch.nn.Linear(8, 2)
    with pytest.raises(RuntimeError, match="Missing key"):
        model.load_state_dict({"epoch": 3, "net": model.state_dict()})
