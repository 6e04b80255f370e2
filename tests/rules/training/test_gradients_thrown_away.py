"""Loops that clear and compute gradients of an optimizer that they were given, and never step it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

CODE = "DLO103"
FUNCTION = """import torch
import torch.nn.functional as F

def train({model}, {optimizer}, loader, scheduler):
    for epoch in range(3):
        {model}.train()
        total = 0
        for x, y in loader:
            {before}
            loss = F.cross_entropy({model}(x), y)
            loss.backward()
            {behind}
            total += loss.item()
        scheduler.step()
    return total
"""
METHOD = """import torch
import torch.nn.functional as F

class Trainer:
    def __init__(self, {model}, {optimizer}, loader, scheduler):
        self.{model} = {model}
        self.{optimizer} = {optimizer}
        self.loader, self.scheduler = loader, scheduler

    def run(self):
        for x, y in self.loader:
            {before}
            loss = F.cross_entropy(self.{model}(x), y)
            loss.backward()
            {behind}
            self.report(loss.item())

    def report(self, value):
        print(value)
"""
NAMES = (("model", "optimizer"), ("net", "opt"), ("generator", "optimizer_g"))
SILENT = (
    "{0}.step()", "trainer_step({0})", "for p in model_of().parameters(): p.data -= 0.1 * p.grad", "update(loss)",
    "scaler.step({0})", "norms.append(x.grad.norm())",
)  # fmt: skip


@pytest.mark.parametrize("text", [FUNCTION, METHOD], ids=["function", "method"])
@pytest.mark.parametrize(("model", "optimizer"), NAMES)
def test_gradients_that_no_pass_applies_are_told(text: str, model: str, optimizer: str, tmp_path: Path):
    whose = optimizer if text is FUNCTION else f"self.{optimizer}"
    for before, behind in ((f"{whose}.zero_grad()", "pass"), ("pass", f"{whose}.zero_grad()")):
        program = text.format(model=model, optimizer=optimizer, before=before, behind=behind)
        assert found({"main.py": program}, tmp_path, (CODE,)) == [CODE], program


@pytest.mark.parametrize("text", [FUNCTION, METHOD], ids=["function", "method"])
@pytest.mark.parametrize("behind", SILENT)
def test_gradients_that_something_may_apply_are_silent(text: str, behind: str, tmp_path: Path):
    whose = "optimizer" if text is FUNCTION else "self.optimizer"
    program = text.format(model="model", optimizer="optimizer", before=f"{whose}.zero_grad()", behind=behind.format(whose))
    assert found({"main.py": program}, tmp_path, (CODE,)) == [], program


@pytest.mark.parametrize("text", [FUNCTION, METHOD], ids=["function", "method"])
def test_gradients_of_models_and_those_cleared_now_and_then_are_silent(text: str, tmp_path: Path):
    own = "" if text is FUNCTION else "self."
    for before in (f"{own}model.zero_grad()", f"if x.sum() > 0: {own}optimizer.zero_grad()", "pass"):
        program = text.format(model="model", optimizer="optimizer", before=before, behind="pass")
        assert found({"main.py": program}, tmp_path, (CODE,)) == [], program
