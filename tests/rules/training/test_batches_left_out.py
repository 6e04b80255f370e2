"""Passes of a loop that end before the step: most of them, where gradients add up, or a few, which are left out of training."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

PROGRAM = """import torch
from torch import nn

model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
count, shown = 4, 0.0
for number in range(100):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8)).square().mean()
    {before}
    if {test}:
        shown += loss.item()
        continue
    {behind}
    optimizer.step()
"""
#: Conditions of all passes but one of ``count``.
MOST = ("(number + 1) % count", "number % count != 3", "not number % count == 3", "not (number % 4 == 0)", "number % count > 0")
#: Conditions of few passes, or of passes that another condition chooses.
FEW = (
    "number % count == 3",
    "not number % count",
    "not (number % count != 3)",
    "number % 2 == 1 and torch.isnan(loss)",
    "number % 2 and torch.isnan(loss)",
)


def _told(test: str, before: str, behind: str, folder: Path) -> bool:
    return "DLO123" in found({MAIN: PROGRAM.format(test=test, before=before, behind=behind)}, folder, ["DLO123"])


@pytest.mark.parametrize("test", MOST)
def test_most_passes_end_before_the_step(test: str, tmp_path: Path) -> None:
    assert _told(test, "loss.backward()", "pass", tmp_path)


@pytest.mark.parametrize("test", [*MOST, *FEW])
def test_passes_that_end_before_the_backward_pass(test: str, tmp_path: Path) -> None:
    assert not _told(test, "pass", "loss.backward()", tmp_path)


@pytest.mark.parametrize("test", FEW)
def test_few_passes_end_before_the_step(test: str, tmp_path: Path) -> None:
    assert not _told(test, "loss.backward()", "pass", tmp_path)


@pytest.mark.parametrize("test", [*MOST, *FEW[:3]])
def test_steps_under_a_condition(test: str, tmp_path: Path) -> None:
    text = PROGRAM.format(test="number < 0", before="loss.backward()", behind=f"if {test}:\n        optimizer.step()")
    text = text.removesuffix("    optimizer.step()\n")
    assert ("DLO123" in found({MAIN: text}, tmp_path, ["DLO123"])) is (test in FEW)
