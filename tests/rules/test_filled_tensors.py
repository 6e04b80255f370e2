"""``torch.full`` with a whole number: floats before torch 1.7, whole numbers from then on."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.rules.harness import PATH

HEAD = (
    "import torch\nfrom torch import nn\n\nreal, fake = 1, 0\n"
    "criterion = nn.BCELoss()\nscores = torch.sigmoid(torch.randn(4, 1))\n"
)
MADE = ("torch.full((4, 1), real)", "torch.full((4, 1), real, device='cpu')", "torch.full([4, 1], fill_value=1)")
USED = (
    "loss = criterion(scores, label)",
    "label.fill_(fake)\nloss = criterion(scores, label)",
    "loss = criterion(scores.view(-1), label.view(-1))",
    "loss = nn.functional.binary_cross_entropy(scores, label)",
    "def step(scores, label):\n    return criterion(scores, label)\n\n\nloss = step(scores, label)",
)
OLD, NEW = ("torch==1.0.0", "torch==1.4.0", "torch<1.7"), ("torch==1.7.1", "torch==2.1.0", "torch>=1.0", "")


def codes(text: str, target: str) -> list[str]:
    overrides = {"target": (target,) if target else ()}
    result = Session(Configuration(isolated=True, overrides=overrides)).check_bytes(PATH, text.encode())
    return [finding.code for finding in result.findings if finding.code == "DLT117"]


@pytest.mark.parametrize(("made", "used"), list(product(MADE, USED)))
def test_the_release_decides(made, used):
    text = f"{HEAD}label = {made}\n{used}\n"
    with pytest.raises(RuntimeError):
        exec(compile(text, "full", "exec"), {})
    assert [codes(text, target) for target in OLD] == [[]] * len(OLD)
    assert [codes(text, target) for target in NEW] == [["DLT117"]] * len(NEW)


@pytest.mark.parametrize("target", [*OLD, *NEW])
@pytest.mark.parametrize(
    "made", ["torch.full((4, 1), real, dtype=torch.long)", "torch.ones(4, 1).long()", "torch.tensor([[1]] * 4)"]
)
def test_whole_numbers_of_every_release(made, target):
    assert codes(f"{HEAD}label = {made}\nloss = criterion(scores, label)\n", target) == ["DLT117"]


@pytest.mark.parametrize("target", [*OLD, *NEW])
@pytest.mark.parametrize("made", ["torch.full((4, 1), 1.0)", "torch.full((4, 1), real, dtype=torch.float)"])
def test_floats_of_every_release(made, target):
    text = f"{HEAD}label = {made}\nloss = criterion(scores, label)\n"
    torch.manual_seed(0)
    exec(compile(text, "full", "exec"), {})
    assert codes(text, target) == []
