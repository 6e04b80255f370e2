"""Gradients that a loop clears before they are applied: of each parameter, or of each of several optimizers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import torch
from torch import nn
def wipe(weights):
    for weight in weights:
        if weight.grad is not None:
            weight.grad.zero_()
"""
SETUP = """model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizers = [torch.optim.SGD(model[0].parameters(), lr=0.1), torch.optim.Adam(model[2].parameters(), lr=0.01)]"""
NAMES = ("model", "optimizer", "optimizers")
LOOP = """for step in range(100):
    {before}
    loss = model(torch.randn(4, 8)).square().mean()
    loss.backward()
    {after}
    {step}"""
STEP, STEPS = "optimizer.step()", "for one in optimizers:\n        one.step()"
#: What clears the gradients → what steps.
CLEARED = {
    "for p in model.parameters():\n        p.grad = None": STEP,
    "for p in model.parameters():\n        if p.grad is not None:\n            p.grad.zero_()": STEP,
    "for name, p in model.named_parameters():\n        if p.grad is not None:\n            p.grad.data.zero_()": STEP,
    "for group in optimizer.param_groups:\n        for p in group['params']:\n            p.grad = None": STEP,
    "for p in model.parameters(): p.grad = None": STEP,
    "for each in optimizer.param_groups:\n        for p in each['params']: p.grad = None": STEP,
    "for each in optimizers:\n        each.zero_grad()": STEPS,
    "wipe(model.parameters())": STEP,
    "weights = model.parameters()\n    for p in weights:\n        p.grad = None": STEP,
}
#: What does not clear all that is applied.
KEPT = {
    "for p in model.parameters():\n        p.grad.mul_(0.5)": STEP,
    "for p in model[0].parameters():\n        p.grad = None": STEP,
    "for name, p in model.named_parameters():\n        if name.endswith('bias'):\n            p.grad = None": STEP,
    "for group in optimizer.param_groups:\n        for p in model[0].parameters():\n            p.grad = None": STEP,
    "for group in optimizer.param_groups:\n        for p in group['frozen']:\n            p.grad = None": STEP,
    "for g in optimizer.param_groups:\n        for p in [q for q in g['params'] if q.ndim]:\n            p.grad = None": STEP,
    "for group in optimizer.param_groups:\n        for p in group['params'][:1]:\n            p.grad = None": STEP,
    "for p in model.parameters():\n        p.grad = None if p.ndim < 2 else p.grad": STEP,
    "for each in optimizers[:1]:\n        each.zero_grad()": STEP,
    "wipe(model[0].parameters())": STEP,
    "wipe([p for p in model.parameters() if p.ndim > 1])": STEP,
    "wipe(nn.Linear(2, 2).parameters())": STEP,
}


def _body(cleared: str, step: str, *, is_before: bool) -> str:
    return LOOP.format(before=cleared if is_before else "pass", after="pass" if is_before else cleared, step=step)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cleared", CLEARED)
def test_cleared_before_the_step(cleared: str, form: str, tmp_path: Path) -> None:
    case = Case("DLO102", IMPORTS, SETUP, _body(cleared, CLEARED[cleared], is_before=False), NAMES)
    assert found(FORMS[form](case), tmp_path, ["DLO102"]) == ["DLO102"]


@pytest.mark.parametrize("cleared", [*CLEARED, *KEPT])
def test_cleared_before_the_pass_or_in_part(cleared: str, tmp_path: Path) -> None:
    is_before = cleared in CLEARED
    body = _body(cleared, (CLEARED | KEPT)[cleared], is_before=is_before)
    assert not found(FORMS["plain"](Case("DLO102", IMPORTS, SETUP, body, NAMES)), tmp_path, ["DLO102"])


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("None", True),
        ("None if p.ndim < 2 else torch.ones_like(p)", False),
        ("None  if p.ndim < 2 else model.estimate(p)", False),
        ("torch.ones_like(p)", False),
    ],
)
def test_gradients_that_are_written_or_only_cleared(written: str, told: bool, tmp_path: Path) -> None:
    clearing = (
        f"for step in range(10):\n    optimizer.zero_grad()\n    for p in model.parameters():\n        p.grad = {written}"
    )
    case = Case("DLO103", IMPORTS, SETUP, f"{clearing}\n    optimizer.step()", NAMES)
    assert ("DLO103" in found(FORMS["plain"](case), tmp_path, ["DLO103"])) is told
