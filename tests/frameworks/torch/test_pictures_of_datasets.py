"""``torchvision.datasets``: sizes of pictures, and the targets that are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

PROGRAM = """from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

change = transforms.Compose([{changes}transforms.ToTensor()])
data = datasets.{data}
model = nn.Sequential(nn.Flatten(), nn.Linear({width}, {classes}))
for picture, kind in DataLoader(data, batch_size=8, shuffle=True):
    {loss}(model(picture), {target})
"""
SQUARE = "transforms.Resize(64), transforms.CenterCrop(64), "
CLASSES = ("nn.functional.cross_entropy", "kind")
BITS = ("nn.functional.binary_cross_entropy_with_logits", "kind.float()")
FAULTS = ["DLT101", "DLT109", "DLT112", "DLL109"]


def _program(data: str, changes: str, width: int, classes: int, loss: tuple[str, str]) -> str:
    return PROGRAM.format(data=data, changes=changes, width=width, classes=classes, loss=loss[0], target=loss[1])


@pytest.mark.parametrize(
    ("data", "changes", "width", "classes", "loss"),
    [
        ("CelebA('d', 'train', 'attr', change)", SQUARE, 3 * 64 * 64, 40, BITS),
        ("CelebA('d', transform=change)", "", 3 * 218 * 178, 40, BITS),
        ("EuroSAT('d', change)", "", 3 * 64 * 64, 10, CLASSES),
        ("FER2013('d', split='train', transform=change)", "", 48 * 48, 7, CLASSES),
        ("Places365('d', 'val', True, True, change)", SQUARE, 3 * 64 * 64, 365, CLASSES),
        ("OxfordIIITPet('d', 'trainval', 'category', None, change)", SQUARE, 3 * 64 * 64, 37, CLASSES),
    ],
)
def test_pictures_and_classes_of_data_sets(
    data: str, changes: str, width: int, classes: int, loss: tuple[str, str], tmp_path: Path
) -> None:
    assert found({"main.py": _program(data, changes, width, classes, loss)}, tmp_path, FAULTS) == []
    assert found({"wide.py": _program(data, changes, width // 2, classes, loss)}, tmp_path, FAULTS) == ["DLT101"]
    assert found({"few.py": _program(data, changes, width, classes - 1, loss)}, tmp_path, FAULTS) != []


@pytest.mark.parametrize(
    "data",
    [
        "CelebA('d', 'train', 'identity', change)",
        "CelebA('d', target_type=kinds(), transform=change)",
        "Caltech101('d', 'annotation', change)",
        "OxfordIIITPet('d', 'trainval', ['category', 'segmentation'], None, change)",
        "VOCSegmentation('d', transforms=kinds())",
    ],
)
def test_other_targets_are_not_known(data: str, tmp_path: Path) -> None:
    text = "from elsewhere import kinds\n" + _program(data, SQUARE, 3 * 64 * 64, 3, CLASSES)
    assert found({"main.py": text}, tmp_path, FAULTS) == []


MASKS = """from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

change = transforms.Compose([transforms.Resize((32, 32)), transforms.ToTensor()])
mask = transforms.Compose([transforms.Resize(({size}, {size})), transforms.PILToTensor()])
data = datasets.{data}, transform=change, target_transform=mask)
model = nn.Conv2d({channels}, 21, 3, padding=1)
for picture, kind in DataLoader(data, batch_size=8, shuffle=True):
    nn.functional.cross_entropy(model(picture), kind.squeeze(1).long())
"""


@pytest.mark.parametrize("data", ["VOCSegmentation('d'", "OxfordIIITPet('d', target_types='segmentation'"])
def test_masks_are_pictures_of_their_own(data: str, tmp_path: Path) -> None:
    assert found({"main.py": MASKS.format(data=data, size=32, channels=3)}, tmp_path, FAULTS) == []
    assert found({"gray.py": MASKS.format(data=data, size=32, channels=1)}, tmp_path, FAULTS) == ["DLT101"]
    assert found({"wide.py": MASKS.format(data=data, size=16, channels=3)}, tmp_path, FAULTS) != []
