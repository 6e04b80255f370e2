"""Pictures that torchvision has scaled and that are scaled again by hand, in every structural form."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn\nfrom torchvision import datasets\nfrom torchvision import transforms as T"
SETUP = (
    "pictures = datasets.CIFAR10('data', transform={0})\n"
    "loader = torch.utils.data.DataLoader(pictures, 8, shuffle=True)\nnet = nn.Conv2d(3, 8, 3)"
)
BODY = "for x, y in loader:\n    {0}\n    out = net(x)"
SCALED = ("T.ToTensor()", "T.Compose([T.RandomHorizontalFlip(), T.ToTensor()])", "T.Compose([T.Resize(64), T.ToTensor()])")
AGAIN = (
    "x = x / 255",
    "x = x.float().div(255.0)",
    "x = x.cpu() * (1 / 255)",
    "x = x.permute(0, 3, 2, 1).contiguous().permute(0, 3, 2, 1) / 255.0",
    "x /= 255.0",
)
OTHERWISE = (
    ("T.ToTensor()", "x = x / 2"),
    ("T.ToTensor()", "x = (x - 0.5) / 0.5"),
    ("T.ToTensor()", "x = (x * 255).round() / 255"),
    ("T.PILToTensor()", "x = x / 255"),
    ("T.PILToTensor()", "x = x.float() / 255"),
    ("T.Compose([T.PILToTensor(), T.ConvertImageDtype(torch.float32)])", "x = x * 2 - 1"),
    ("T.Lambda(prepared)", "x = x / 255"),
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("transform", "again"), [*product(SCALED, AGAIN)][::2])
def test_pictures_are_divided_after_to_tensor(transform: str, again: str, form: str, tmp_path: Path) -> None:
    case = Case("DLD103", IMPORTS, SETUP.format(transform), BODY.format(again), ("loader", "net"))
    assert "DLD103" in found(FORMS[form](case), tmp_path, ["DLD103"])


@pytest.mark.parametrize(("transform", "change"), OTHERWISE)
def test_pictures_are_scaled_once(transform: str, change: str, tmp_path: Path) -> None:
    text = f"{IMPORTS}\nfrom recipes import prepared\n\n{SETUP.format(transform)}\n{BODY.format(change)}\n"
    assert not found({"main.py": text}, tmp_path, ["DLD103"])
