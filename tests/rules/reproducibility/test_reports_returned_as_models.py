"""A function returns what `load_state_dict` gives, a report of keys, and its caller takes that for the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import torch
from torch import nn

MODELS = {"small": lambda: nn.Linear(3, 1), "deep": lambda: nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 1))}


def build(width=3):
    return nn.Linear(width, 1)
"""
FAULTY = (
    "def restore(file):\n    return MODELS['deep']().load_state_dict(torch.load(file))\n",
    "def restore(file):\n    return build().load_state_dict(torch.load(file), strict=False)\n",
    "def restore(file):\n    model = build()\n    return model.load_state_dict(torch.load(file))\n",
    "def restore(file):\n    report = build().eval().load_state_dict(torch.load(file))\n    return report\n",
)
SOUND = (
    "def restore(file):\n    model = MODELS['deep']()\n    model.load_state_dict(torch.load(file))\n    return model\n",
    "def restore(file):\n    model = build()\n    model.load_state_dict(torch.load(file))\n    return model.eval()\n",
)
USES = ("net.eval()", "print(net(torch.ones(1, 3)))", "net.to('cpu')\nprint(net)")
OTHER_USES = (
    "print(net.missing_keys)",
    "assert not net.unexpected_keys",
    "print(net)",
    "net = build()\nnet.eval()",
)


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("restore", FAULTY)
@pytest.mark.parametrize("use", USES)
def test_reports(form: str, restore: str, use: str, tmp_path: Path) -> None:
    case = Case("DLR105", IMPORTS, f"{restore}\nfile = 'weights.pt'", f"net = restore(file)\n{use}", ("restore", "file"))
    assert "DLR105" in found(FORMS[form](case), tmp_path, ["DLR105"])


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("restore", "use"),
    [*((restore, use) for restore in SOUND for use in USES), *((restore, use) for restore in FAULTY[:3] for use in OTHER_USES)],
)
def test_models_and_reports_that_are_read(form: str, restore: str, use: str, tmp_path: Path) -> None:
    case = Case("DLR105", IMPORTS, f"{restore}\nfile = 'weights.pt'", f"net = restore(file)\n{use}", ("restore", "file"))
    assert not found(FORMS[form](case), tmp_path, ["DLR105"])
