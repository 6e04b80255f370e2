"""Steps that a comprehension performs have passes of their own: the loop around it has one of each epoch."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.rules.training.variants import FORMS, Case, found

IMPORTS: Final = "import torch\nfrom torch import nn"
SETUP: Final = """
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [(torch.randn(8, 4), torch.randn(8, 2)) for _ in range(12)]


class Engine:
    def __init__(self, model, optimizer, every):
        self.model, self.optimizer, self.every = model, optimizer, every

    def step(self, number, batch):
        loss = nn.functional.mse_loss(self.model(batch[0]), batch[1]) / self.every
        loss.backward()
        if (number + 1) % self.every == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.item()
"""
#: Ways to perform the steps of an epoch.
PASSES: Final = {
    "list": "losses = [engine.step(n, b) for n, b in enumerate(batches)]",
    "sum": "total = sum(engine.step(n, b) for n, b in enumerate(batches))",
    "dictionary": "losses = {n: engine.step(n, b) for n, b in enumerate(batches)}",
    "nested": "losses = [[engine.step(n, b)] for n, b in enumerate(batches)]",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("steps", PASSES)
def test_gradients_are_cleared_once_before_all_steps(steps: str, form: str, tmp_path: Path) -> None:
    body = f"engine = Engine(model, optimizer, 4)\nfor epoch in range(3):\n    optimizer.zero_grad()\n    {PASSES[steps]}"
    case = Case("DLO123", IMPORTS, SETUP, body, ("model", "optimizer", "batches", "Engine"))
    assert not found(FORMS[form](case), tmp_path, ("DLO101", "DLO102", "DLO103", "DLO123"))


@pytest.mark.parametrize("form", FORMS)
def test_gradients_that_are_cleared_before_each_step(form: str, tmp_path: Path) -> None:
    each = "for n, b in enumerate(batches):\n    optimizer.zero_grad()\n    engine.step(n, b)"
    body = f"engine = Engine(model, optimizer, 4)\n{each}"
    case = Case("DLO123", IMPORTS, SETUP, body, ("model", "optimizer", "batches", "Engine"))
    assert found(FORMS[form](case), tmp_path, ("DLO123",))


TWO: Final = """
actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
first, second = torch.optim.Adam(actor.parameters()), torch.optim.Adam(critic.parameters())
"""
UPDATES: Final = """
for _ in range(10):
    x = torch.randn(8, 4)
    gain = x.sum(1, keepdim=True) - critic(x)
    gained = -(actor(x) * gain.detach()).mean()
    missed = gain.pow(2).mean()
    first.zero_grad()
    gained.backward()
    first.step()
    second.zero_grad()
    missed.backward()
"""


def test_of_two_optimizers_the_gradients_behind_the_clearing_are_told(tmp_path: Path) -> None:
    files = {"main.py": f"{IMPORTS}\n{TWO}{UPDATES}"}
    assert found(files, tmp_path, ("DLO103",)) == ["DLO103"]
    session = Session(Configuration(isolated=True, overrides={"select": ("DLO103",)}))
    finding = session.check_file(tmp_path / "main.py").findings[0]
    line = files["main.py"].split("\n")[finding.location.span.first.line - 1]
    assert "missed.backward()" in line
    assert not found({"main.py": f"{IMPORTS}\n{TWO}{UPDATES}    second.step()\n"}, tmp_path, ("DLO103",))


SETTING: Final = """
def fit(model, batches, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number, (x, y) in enumerate(batches):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        {rest}


fit(nn.Linear(4, 2), [(torch.randn(8, 4), torch.randn(8, 2))] * 12, {steps})
"""
#: Ways to step that some settings do not come to.
OTHERWISE: Final = (
    "if number == steps:\n            return\n        optimizer.step()",
    "if steps > 0:\n            optimizer.step()",
)


@pytest.mark.parametrize("rest", OTHERWISE)
def test_a_step_that_this_setting_does_not_come_to(rest: str, tmp_path: Path) -> None:
    for steps in ("0", "9"):
        assert not found({"main.py": f"{IMPORTS}\n{SETTING.format(rest=rest, steps=steps)}"}, tmp_path, ("DLO103",))
    assert found({"main.py": f"{IMPORTS}\n{SETTING.format(rest='print(number)', steps='0')}"}, tmp_path, ("DLO103",))
