"""What a table of a library lacks is read from its source where it is installed; what the table has is not."""

from __future__ import annotations

import pytest

from tests.engine.test_installed_packages import checked

NETS = """\
from enum import Enum
from torch import nn


class Wide_Weights(Enum):
    FIRST = 12
    DEFAULT = FIRST


class Wide(nn.Module):
    def __init__(self, width, classes=1000):
        super().__init__()
        self.body = nn.Linear(width, 6)
        self.head = nn.Linear(6, classes)

    def forward(self, x):
        return self.head(self.body(x))


def wide(*, weights=None, **options):
    if weights is not None:
        options["classes"] = weights.value
    net = Wide(8, **options)
    if weights is not None:
        net.load_state_dict(weights.fetch())
    return net


def resnet18(**options):
    raise RuntimeError("a table describes it")
"""
FILES = {
    "torchvision/__init__.py": "from torchvision import models\n",
    "torchvision/models/__init__.py": "from .nets import *\n",
    "torchvision/models/nets.py": NETS,
}
#: How the network is named and made, and its number of classes.
WAYS = {
    "module": ("import torchvision", "torchvision.models.wide()", 1000),
    "renamed module": ("import torchvision.models as zoo", "zoo.wide(classes=5)", 5),
    "package": ("from torchvision import models", "models.wide(classes=7)", 7),
    "name": ("from torchvision.models import wide as make", "make(classes=7)", 7),
    "name of the inner module": ("from torchvision.models.nets import wide", "wide(classes=7)", 7),
    "class": ("from torchvision.models.nets import Wide", "Wide(8, 9)", 9),
    "attribute of the inner module": ("import torchvision", "torchvision.models.nets.Wide(8)", 1000),
    "weights": ("from torchvision import models", "models.wide(weights=models.Wide_Weights.DEFAULT)", 12),
    "imported weights": ("from torchvision.models import wide, Wide_Weights", "wide(weights=Wide_Weights.FIRST)", 12),
    "derived": (
        "from torchvision import models\nclass Mine(models.Wide):\n    def forward(self, *x):\n"
        "        return super().forward(*x)",
        "Mine(8, 4)",
        4,
    ),
    "a choice": ("from torchvision import models\nmakers = {'a': models.wide}", "makers['a'](classes=3)", 3),
}
PROGRAM = "import torch\n{imports}\nnet = {made}\nhead = torch.nn.Linear({width}, 2)\nprint(head(net(torch.zeros(3, 8))))\n"


@pytest.mark.parametrize("way", WAYS)
def test_a_head_of_the_right_width_fits_and_another_does_not(tmp_path, way):
    imports, made, classes = WAYS[way]
    for width in (classes, classes + 1):
        folder = tmp_path / str(width)
        folder.mkdir()
        result, _ = checked(folder, FILES, PROGRAM.format(imports=imports, made=made, width=width))
        assert [finding.code for finding in result.findings] == ([] if width == classes else ["DLT101"])


def test_what_the_table_has_is_taken_from_it(tmp_path):
    made = "torchvision.models.resnet18(num_classes=4)"
    text = PROGRAM.format(imports="import torchvision", made=made, width=5).replace("(3, 8)", "(3, 3, 64, 64)")
    result, _ = checked(tmp_path, FILES, text)
    assert "DLT101" in [finding.code for finding in result.findings]


def test_models_of_detection_are_left_alone_and_those_of_segmentation_are_not(tmp_path):
    for part, told in (("detection", []), ("segmentation", ["DLT101"])):
        folder = tmp_path / part
        folder.mkdir()
        text = PROGRAM.format(imports="import torchvision", made=f"torchvision.models.{part}.wide()", width=5)
        result, _ = checked(folder, {**FILES, f"torchvision/models/{part}.py": NETS}, text)
        assert [finding.code for finding in result.findings] == told


def test_without_the_library_nothing_is_said(tmp_path):
    for way, (imports, made, classes) in WAYS.items():
        folder = tmp_path / way.replace(" ", "_")
        folder.mkdir()
        result, _ = checked(folder, {}, PROGRAM.format(imports=imports, made=made, width=classes + 1))
        assert not result.findings
