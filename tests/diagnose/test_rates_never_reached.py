"""Schedules that have not come as far as the run: told by the rates in effect, repaired where the schedule steps or is set."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest

from dllint.diagnose.causes.case import Sources
from dllint.diagnose.causes.rate_never_reached import RateNeverReached
from dllint.edit import apply_edits

PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(600, 8)
y = (x[:, 0] * x[:, 1] > 0).long()
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
{build}
for epoch in range(4):
    for rows in torch.randperm(600).split(30):
        loss = F.cross_entropy(net(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        {batch}
    {epoch}
"""
LR = "torch.optim.lr_scheduler."
ONE_CYCLE = f"rates = {LR}OneCycleLR(optimizer, max_lr=0.3, total_steps=81)"
WARMUP = f"warmup_steps = 1000\nrates = {LR}LambdaLR(optimizer, lambda n: min(1.0, n / warmup_steps))"
LINEAR = f"rates = {LR}LinearLR(optimizer, start_factor=0.01, total_iters=1000)"
JOINED = (
    f"first = {LR}LinearLR(optimizer, start_factor=0.01, total_iters=10)\n"
    f"rates = {LR}SequentialLR(optimizer, [first, {LR}CosineAnnealingLR(optimizer, 70)], milestones=[10])"
)
#: A schedule whose numbers are the rates: the configured one is a factor that is never in effect.
NOAM = f"rates = {LR}LambdaLR(optimizer, lambda n: 0.1 * min(max(n, 1) ** -0.5, max(n, 1) * 200 ** -1.5))"
DECAY = f"rates = {LR}StepLR(optimizer, 2, gamma=0.5)"


def told(done):
    return [finding for finding in done.findings if finding["symptom"] == "learning rate never reached"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("build", "batch", "epoch", "row"),
    [
        (ONE_CYCLE, "pass", "rates.step()", "OneCycleLR"),
        (LINEAR, "rates.step()", "pass", "LinearLR"),
        (WARMUP, "rates.step()", "pass", "LambdaLR"),
        (WARMUP, "pass", "pass", "optimizer.step()"),
    ],
)
def test_a_rate_that_stays_low_is_told_where_the_schedule_is_built_or_missing(diagnose, build, batch, epoch, row):
    text = PROGRAM.format(build=build, batch=batch, epoch=epoch)
    (finding,) = told(diagnose(text))
    assert row in text.splitlines()[finding["location"]["row"] - 1]
    assert finding["evidence"]["share"] < 0.5
    assert batch == "rates.step()" or finding["fixes"][0]["kind"] == "schedule"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("build", "batch", "epoch"),
    [
        (ONE_CYCLE, "rates.step()", "pass"),
        (JOINED, "rates.step()", "pass"),
        (DECAY, "pass", "pass"),
        (NOAM, "rates.step()", "pass"),
    ],
)
def test_schedules_that_come_far_enough_are_silent(diagnose, build, batch, epoch):
    assert not told(diagnose(PROGRAM.format(build=build, batch=batch, epoch=epoch)))


def test_a_run_that_was_cut_says_nothing(diagnose):
    assert not told(diagnose(PROGRAM.format(build=WARMUP, batch="rates.step()", epoch="pass"), "--max-steps", "40"))


@pytest.mark.parametrize(
    ("function", "steps", "last", "is_product", "near"),
    [
        (lambda n: min(1.0, n / 1000), 80, 0.08, False, True),
        (lambda n: n / 1000 if n < 1000 else 0.9 * 0.99 ** (n - 1000), 80, 0.08, False, True),
        (lambda n: 0.1 * min(max(n, 1) ** -0.5, n * 200**-1.5), 80, 0.003, False, False),
        (lambda n: [0.1, 0.2][n], 1, 0.2, False, False),
        (lambda n: 1.01 if n < 200 else 0.9, 80, 0.4, True, True),
        (lambda n: 1.01 if n < 90 else 0.9, 80, 0.1, True, False),
    ],
)
def test_functions_of_a_schedule_are_asked_for_later_steps(function, steps, last, is_product, near):
    schedules = pytest.importorskip("dllint.diagnose.probes.torch.schedules")
    assert schedules._Later((function,), is_product=is_product).is_near(steps, last) is near


LIGHTNING = """
import lightning as L
import torch


class Net(L.LightningModule):
    def configure_optimizers(self):
        {optimizer} = torch.optim.SGD(self.parameters(), lr=0.1)
        {schedule} = torch.optim.lr_scheduler.OneCycleLR({optimizer}, max_lr=0.1, total_steps=100)
        {answer}
"""


@pytest.mark.parametrize("names", [("optimizer", "schedule"), ("sgd", "one_cycle")])
@pytest.mark.parametrize(
    "answer",
    [
        'return {{"optimizer": {o}, "lr_scheduler": {s}}}',
        'return {{"optimizer": {o}, "lr_scheduler": {s}, "interval": "step"}}',
        'return {{"optimizer": {o}, "interval": "step", "lr_scheduler": {s}}}',
        'return {{"optimizer": {o}, "lr_scheduler": {{"scheduler": {s}}}}}',
        'return {{"optimizer": {o}, "lr_scheduler": {{"scheduler": {s}, "interval": "epoch"}}}}',
        "return [{o}], [{s}]",
        'settings = {{"optimizer": {o}, "lr_scheduler": {s}}}\n        return settings',
    ],
)
def test_a_schedule_of_lightning_moves_with_each_batch_after_the_repair(names, answer):
    optimizer, schedule = names
    text = LIGHTNING.format(optimizer=optimizer, schedule=schedule, answer=answer.format(o=optimizer, s=schedule))
    code = Sources(lambda path: text).code("/project/train.py")
    symptom = SimpleNamespace(evidence={"schedule_steps": 4}, step=100, symptom="learning rate never reached", place=None)
    case = SimpleNamespace(symptom=symptom, files=lambda: [code])
    (repair,) = RateNeverReached().candidates(case)
    assert {edit.path for edit in repair.edits} == {Path("/project/train.py")}
    after = apply_edits(text, repair.edits)
    dicts = [ast.unparse(node) for node in ast.walk(ast.parse(after)) if isinstance(node, ast.Dict)]
    assert f"{{'scheduler': {schedule}, 'interval': 'step'}}" in dicts
    assert after.count("interval") == 1
