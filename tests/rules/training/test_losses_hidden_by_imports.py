"""A backward pass of what an import calls like the loss is one: it cannot run, and no other pass takes its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = (
    "from torch.nn.modules import {0}",
    "from torch.nn import functional as {0}",
    "import torch.nn.functional as {0}",
)
SETUP = (
    "generator, critic = nn.Linear(8, 8), nn.Linear(8, 1)\nof_critic = torch.optim.Adam(critic.parameters())\n"
    "of_generator = torch.optim.Adam(generator.parameters())\nscaler = torch.amp.GradScaler('cuda')\n"
    "data = [torch.randn(4, 8) for _ in range(3)]"
)
NAMES = ("generator", "critic", "of_critic", "of_generator", "scaler", "data")
BODY = (
    "for x in data:\n    of_critic.zero_grad()\n    {backward}\n    {cleared}{step}\n    of_generator.zero_grad()\n"
    "    total = -critic(generator(x)).mean()\n    total.backward()\n    of_generator.step()\n"
)
BACKWARD = ("{0}.backward()", "scaler.scale({0}).backward()")
STEP = ("of_critic.step()", "scaler.step(of_critic)")


def _case(name: str, number: int, how: int, cleared: str) -> Case:
    imports = f"import torch\nfrom torch import nn\n{IMPORTS[number].format(name)}"
    body = BODY.format(backward=BACKWARD[how].format(name), step=STEP[how], cleared=cleared)
    return Case("DLO102", imports, SETUP, body, NAMES)


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("how", range(len(BACKWARD)))
@pytest.mark.parametrize("number", range(len(IMPORTS)))
def test_hidden_loss_is_no_missing_backward_pass(number: int, how: int, form: str, tmp_path: Path) -> None:
    assert found(FORMS[form](_case("loss", number, how, "")), tmp_path, ("DLO102",)) == []


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("name", ["loss", "modules"])
def test_gradients_cleared_behind_another_pass_are_told(name: str, form: str, tmp_path: Path) -> None:
    case = _case(name, 0, 0, "")
    body = case.body.replace(f"{name}.backward()", "critic(x).mean().backward()\n    of_critic.zero_grad()")
    assert "DLO102" in found(FORMS[form](Case("DLO102", case.imports, SETUP, body, NAMES)), tmp_path, ("DLO102",))
