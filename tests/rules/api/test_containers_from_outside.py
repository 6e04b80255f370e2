"""What came from outside and is asked for a method of Python's containers is no tensor that lacks it (DLA110)."""

from __future__ import annotations

import pytest

from tests.rules.harness import reports

SHELLS = {
    "step": """
import torch
from pytorch_lightning import LightningModule


class Net(LightningModule):
    def training_step(self, batch, batch_idx):
        {images}, {targets} = batch
        {use}
        return self.model({images}, {targets})
""",
    "loop": """
import torch


def train(model, loader, optimizer):
    for {images}, {targets} in loader:
        {use}
        loss = model({images}, {targets}).sum()
        loss.backward()
        optimizer.step()
""",
    "known": """
import torch

{images}, {targets} = torch.zeros(2, 3), torch.ones(2, 3)
{use}
""",
}
USES = [
    "{targets} = [dict(t.items()) for t in {targets}]",
    "for t in {targets}:\n            print(t.items())",
    "print({targets}[0].items())",
    "first = next(iter({targets}))\n        print(first.items())",
]
NAMES = [("images", "targets"), ("x", "y")]


def codes(shell: str, use: str, images: str, targets: str) -> list[str]:
    if shell == "known":
        use = use.replace("\n        ", "\n")
    text = SHELLS[shell].format(images=images, targets=targets, use=use.format(targets=targets))
    return [code for _, code in reports(text) if code == "DLA110"]


@pytest.mark.parametrize("shell", ["step", "loop"])
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(("images", "targets"), NAMES)
def test_what_comes_from_outside_may_be_a_dict(shell, use, images, targets):
    assert codes(shell, use, images, targets) == []


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(("images", "targets"), NAMES)
def test_a_known_tensor_has_no_items(use, images, targets):
    assert codes("known", use, images, targets) == ["DLA110"]
