"""Which classes occur in a mask that is read from a picture is not known: 255 is what its element type can hold."""

from __future__ import annotations

import pytest

from tests.rules.harness import reports

PROGRAM = """
import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Masks(Dataset):
    def __init__(self, names):
        self.names = names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        mask = {opened}.resize((64, 64))
        return torch.rand(3, 64, 64), {mask}


net = nn.Conv2d(3, 3, 1)
criterion = nn.CrossEntropyLoss()
for x, y in DataLoader(Masks(["a.png", "b.png"]), batch_size=2):
    loss = criterion(net(x), {target})
"""
OPENED = ("Image.open(self.names[i])", 'Image.new("P", (80, 80))', 'Image.open(self.names[i]).convert("L")')
MASKS = ("torch.Tensor(np.array(mask))", "torch.from_numpy(np.array(mask))", "torch.as_tensor(np.asarray(mask)).contiguous()")
TARGETS = ("y.long()", "y.to(torch.int64).clone()")


def codes(text: str) -> set[str]:
    return {code for _, code in reports(text)}


@pytest.mark.parametrize("opened", OPENED)
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("target", TARGETS)
def test_classes_of_masks_are_not_known(opened: str, mask: str, target: str) -> None:
    assert "DLT112" not in codes(PROGRAM.format(opened=opened, mask=mask, target=target))


@pytest.mark.parametrize("mask", MASKS)
def test_drawn_classes_are(mask: str) -> None:
    drawn = PROGRAM.format(opened=OPENED[0], mask=mask, target="torch.randint(0, 256, (2, 64, 64))")
    assert "DLT112" in codes(drawn)
