"""A scheduler that a branch makes lacks its metric only where the step is not left out of that branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found, indented

#: What asks for the kind of the schedule.
CONDITIONS = ("kind == 'plateau'", "options.schedule == 'plateau'", "options.is_patient")
#: What is made otherwise; of what may be anything, nothing is told.
UNKNOWN = "own_schedule(optimizer)"
OTHERS = (
    "torch.optim.lr_scheduler.StepLR(optimizer, 10)",
    "torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)",
    "None",
    UNKNOWN,
)
PLATEAU = "torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)"
#: How the epoch ends, with what tells whether the metric lacks for a plateau.
ENDS = {
    "scheduler.step()": True,
    "if scheduler is not None:\n    scheduler.step()": True,
    "if scheduler:\n    scheduler.step()": True,
    "if {condition}:\n    scheduler.step(total)\nelse:\n    scheduler.step()": False,
    "if {condition}:\n    scheduler.step(total)\nelif scheduler is not None:\n    scheduler.step()": False,
    "if not {condition}:\n    scheduler.step()\nelse:\n    scheduler.step(total)": False,
    "if scheduler is not None:\n    if {condition}:\n        scheduler.step(total)\n    else:\n        scheduler.step()": False,
}
PROGRAM = """import torch
from torch import nn
from schedules import own_schedule


def train(model, kind, options, batches):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
{made}    for epoch in range(10):
        total = 0.0
        for x, y in batches:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
{end}"""


def _made(condition: str, other: str, form: str) -> str:
    if form == "arms":
        return f"if {condition}:\n    scheduler = {PLATEAU}\nelse:\n    scheduler = {other}"
    if form == "swapped":
        return f"if not {condition}:\n    scheduler = {other}\nelse:\n    scheduler = {PLATEAU}"
    return f"scheduler = {other}\nif {condition}:\n    scheduler = {PLATEAU}"


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("form", ["arms", "swapped", "replaced"])
@pytest.mark.parametrize("end", list(ENDS))
def test_step_of_another_branch_lacks_no_metric(condition: str, other: str, form: str, end: str, tmp_path: Path) -> None:
    made, last = _made(condition, other, form), end.replace("{condition}", condition)
    text = PROGRAM.format(made=indented(made), end=indented(last, 2))
    expected = ["DLO112"] if ENDS[end] and other != UNKNOWN else []
    assert found({"main.py": text}, tmp_path, ("DLO112",)) == expected


@pytest.mark.parametrize("end", [end for end, is_lacking in ENDS.items() if is_lacking])
def test_scheduler_of_no_branch_lacks_its_metric(end: str, tmp_path: Path) -> None:
    text = PROGRAM.format(made=indented(f"scheduler = {PLATEAU}"), end=indented(end, 2))
    assert found({"main.py": text}, tmp_path, ("DLO112",)) == ["DLO112"]
