"""``torchvision.datasets.FakeData``: its length, shape and classes are what it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

PROGRAM = """from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

data = datasets.FakeData({0}transform=transforms.ToTensor())
model = nn.Sequential(nn.Flatten(), nn.Linear({1}, {2}))
for picture, kind in DataLoader(data, batch_size=8):
    nn.functional.cross_entropy(model(picture), kind)
"""


@pytest.mark.parametrize(
    ("given", "width", "classes", "expected"),
    [
        ("", 3 * 224 * 224, 10, []),
        ("", 3 * 224 * 224, 9, ["DLT112"]),
        ("200, (3, 32, 16), 4, ", 3 * 32 * 16, 4, []),
        ("200, (3, 32, 16), 4, ", 3 * 32 * 32, 4, ["DLT101"]),
        ("image_size=(1, 28, 28), num_classes=12, ", 28 * 28, 10, ["DLT112"]),
        ("image_size=(1, 28, 28), num_classes=12, ", 28 * 28, 12, []),
        ("image_size=tuple(shape()), num_classes=count(), ", 28 * 28, 2, []),
    ],
)
def test_fake_data_is_what_it_is_asked_for(given: str, width: int, classes: int, expected: list[str], tmp_path: Path) -> None:
    text = PROGRAM.format(given, width, classes)
    if "shape()" in given:
        text = f"from elsewhere import count, shape\n{text}"
    assert found({"main.py": text}, tmp_path, ["DLT101", "DLT112"]) == expected
