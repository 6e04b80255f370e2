"""Losses that a training step computes: those that are left out, and those that are used in any way."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn"
SETUP = (
    "body, kind, place = nn.Linear(8, 16), nn.Linear(16, 5), nn.Linear(16, 2)\n"
    "optimizer = torch.optim.SGD([*body.parameters(), *kind.parameters(), *place.parameters()], lr=0.1)\n"
    "distance, kept, total = nn.MSELoss(), [], 0.0"
)
NAMES = ("body", "kind", "place", "optimizer", "distance", "kept")
STEP = (
    "for turn in range(10):\n    features = body(torch.randn(4, 8)).relu()\n"
    "    first = nn.functional.cross_entropy(kind(features), torch.randint(0, 5, (4,)))\n    {0}\n    optimizer.zero_grad()\n"
    "    {1}\n    optimizer.step()"
)
SECOND = (
    "second = nn.functional.mse_loss(place(features), torch.rand(4, 2))",
    "second = distance(place(features).contiguous(), torch.rand(4, 2))",
    "out = place(features)\n    second = nn.functional.l1_loss(out[:, :1], torch.rand(4, 1))",
)
LEFT_OUT = ("first.backward()", "loss = first\n    loss.backward()", "(2 * first).backward()")
USED = (
    "(first + second).backward()",
    "first.backward(retain_graph=True)\n    second.backward()",
    "first.backward()\n    print(second.item())",
    "first.backward()\n    kept.append(second.detach())",
    "loss = first\n    loss += second\n    loss.backward()",
    "sum([first, second]).backward()",
    "losses = {'first': first, 'second': second}\n    sum(losses.values()).backward()",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("second", "step"), [*product(SECOND, LEFT_OUT)][::2])
def test_a_loss_that_nothing_reads(second: str, step: str, form: str, tmp_path: Path) -> None:
    case = Case("DLL119", IMPORTS, SETUP, STEP.format(second, step), NAMES)
    assert "DLL119" in found(FORMS[form](case), tmp_path, ["DLL119"])


@pytest.mark.parametrize("form", ["plain", "in_function", "in_helper"])
@pytest.mark.parametrize(("second", "step"), [*product(SECOND, USED)])
def test_a_loss_that_is_used(second: str, step: str, form: str, tmp_path: Path) -> None:
    case = Case("DLL119", IMPORTS, SETUP, STEP.format(second, step), NAMES)
    assert not found(FORMS[form](case), tmp_path, ["DLL119"])


@pytest.mark.parametrize("second", SECOND)
def test_a_measure_without_gradients(second: str, tmp_path: Path) -> None:
    quiet = "with torch.no_grad():\n        " + second.replace("\n    ", "\n        ")
    text = f"{IMPORTS}\n\n{SETUP}\n{STEP.format(quiet, 'first.backward()')}\n"
    assert not found({"main.py": text}, tmp_path, ["DLL119"])
    behind = f"{IMPORTS}\n\n{SETUP}\n{STEP.format('pass', 'first.backward()')}\n{second.replace(chr(10) + '    ', chr(10))}\n"
    assert not found({"main.py": behind}, tmp_path, ["DLL119"])
