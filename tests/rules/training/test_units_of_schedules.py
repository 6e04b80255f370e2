"""Schedules that are made for a number of batches and stepped once per epoch, and those that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import math
import torch
import transformers
from torch import nn
from torch.utils.data import DataLoader, TensorDataset"""
SETUP = """loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), 8)
model = nn.Linear(8, 1)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
{given}
scheduler = {scheduler}"""
BODY = """for epoch in range(5):
    for x, y in loader:
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
{inner}{outer}"""
NAMES = ("model", "optimizer", "loader", "scheduler")
LENGTHS = {
    "len(loader) * 5": "",
    "total": "total = 5 * len(loader)",
    "int(math.ceil(len(loader) / 2)) * 5": "",
    "steps": "batches = len(loader)\nsteps = (batches * 5) + 1",
}
SCHEDULERS = (
    "transformers.get_linear_schedule_with_warmup(optimizer, 10, {0})",
    "transformers.get_cosine_schedule_with_warmup(optimizer, num_warmup_steps=10, num_training_steps={0})",
    'transformers.get_scheduler("linear", optimizer, 10, {0})',
    "torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, {0})",
    "torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max={0})",
)
STEP = {"inner": "        scheduler.step()\n", "outer": "    scheduler.step()\n"}


def case(scheduler: str, length: str, given: str, where: str) -> Case:
    parts = {"inner": "", "outer": ""} | {where: STEP[where]}
    return Case("DLO112", IMPORTS, SETUP.format(given=given, scheduler=scheduler.format(length)), BODY.format(**parts), NAMES)


CASES = {
    f"{scheduler.partition('(')[0]}, {length}": (scheduler, length, given)
    for scheduler in SCHEDULERS
    for length, given in LENGTHS.items()
}
SOUND = {
    "5": "",
    "epochs": "epochs = 5",
    "config.epochs": "class Config:\n    def __init__(self, words):\n        self.epochs = 5\n\n\nconfig = Config(len('abc'))",
    "rounds": "rounds = 5\nrounds = len(loader)",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CASES)
def test_a_schedule_of_batches_is_stepped_once_per_epoch(name: str, form: str, tmp_path: Path) -> None:
    assert "DLO112" in found(FORMS[form](case(*CASES[name], "outer")), tmp_path, ["DLO112"])


@pytest.mark.parametrize("name", CASES)
def test_a_schedule_of_batches_is_stepped_with_each(name: str, tmp_path: Path) -> None:
    assert not found(FORMS["plain"](case(*CASES[name], "inner")), tmp_path, ["DLO112"])


@pytest.mark.parametrize("length", SOUND)
@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_schedule_of_epochs_is_stepped_with_each(scheduler: str, length: str, tmp_path: Path) -> None:
    assert not found(FORMS["plain"](case(scheduler, length, SOUND[length], "outer")), tmp_path, ["DLO112"])


#: In front of a step of the scheduler: whether the step is left to one pass in many.
PASSES = {
    "if number < len(loader) - 1:\n            continue": True,
    "if number % 4 != 3:\n            print(number)\n            continue": True,
    "for part in x:\n            if part.sum() > 0:\n                continue": False,
    "print(number)": False,
}


@pytest.mark.parametrize("form", ["plain", "in_helper", "in_method"])
@pytest.mark.parametrize("before", PASSES)
def test_a_pass_that_is_left_steps_no_scheduler(before: str, form: str, tmp_path: Path) -> None:
    body = f"""for epoch in range(epochs):
    for number, (x, y) in enumerate(loader):
        if x is None:
            continue
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
        {before}
        scheduler.step()"""
    scheduler = SCHEDULERS[-1].format("epochs")
    case = Case("DLO112", IMPORTS, SETUP.format(given="epochs = 5", scheduler=scheduler), body, (*NAMES, "epochs"))
    assert ("DLO112" in found(FORMS[form](case), tmp_path, ["DLO112"])) is not PASSES[before]
