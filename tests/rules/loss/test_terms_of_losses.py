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
TERMS = (
    "second = 0.1 * place(features).pow(2).mean()",
    "second = 1e-4 * sum(p.abs().sum() for p in [place.weight, kind.weight])",
    "out = place(features)\n    second = -0.5 * (1 + out - out.exp()).sum(1).mean()",
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


#: A step whose losses another function or module computes.
APART = (
    "{imports}\n\n{setup}\n\n\ndef terms(features):\n"
    "    first = nn.functional.cross_entropy(kind(features), torch.zeros(4).long())\n"
    "    {second}\n    return {given}\n\n\nfor turn in range(10):\n    loss = terms(body(torch.randn(4, 8)).relu())\n"
    "    optimizer.zero_grad()\n    {step}\n    optimizer.step()\n",
    "{imports}\n\n{setup}\n\n\nclass Terms(nn.Module):\n    def forward(self, features):\n"
    "        first = nn.functional.cross_entropy(kind(features), torch.zeros(4).long())\n        {second}\n"
    "        return {given}\n\n\nterms = Terms()\n\n\ndef train():\n    for turn in range(10):\n"
    "        loss = terms(body(torch.randn(4, 8)).relu())\n        optimizer.zero_grad()\n        {step}\n"
    "        optimizer.step()\n\n\ntrain()\n",
)


def apart(form: str, second: str, given: str, step: str) -> str:
    """A program whose terms are computed apart."""
    indented = second if "class" not in form else second.replace("\n    ", "\n        ")
    return form.format(imports=IMPORTS, setup=SETUP, second=indented, given=given, step=step)


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(("form", "second"), [*product(APART, (*SECOND, *TERMS))])
def test_a_term_of_a_function_that_computes_the_loss(form: str, second: str, tmp_path: Path) -> None:
    assert found({"main.py": apart(form, second, "first", "loss.backward()")}, tmp_path, ["DLL119"])


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(
    ("form", "second", "given"),
    [
        *product(APART, (*SECOND, *TERMS), [("first + second", "loss.backward()"), ("first, second", "loss[0].backward()")]),
        *product(APART, ["hits = (kind(features).argmax(1) == 0).float().mean()"], [("first", "loss.backward()")]),
    ],
)
def test_terms_that_a_function_gives(form: str, second: str, given: tuple[str, str], tmp_path: Path) -> None:
    assert not found({"main.py": apart(form, second, *given)}, tmp_path, ["DLL119"])


@pytest.mark.parametrize("second", SECOND)
def test_a_measure_without_gradients(second: str, tmp_path: Path) -> None:
    quiet = "with torch.no_grad():\n        " + second.replace("\n    ", "\n        ")
    text = f"{IMPORTS}\n\n{SETUP}\n{STEP.format(quiet, 'first.backward()')}\n"
    assert not found({"main.py": text}, tmp_path, ["DLL119"])
    behind = f"{IMPORTS}\n\n{SETUP}\n{STEP.format('pass', 'first.backward()')}\n{second.replace(chr(10) + '    ', chr(10))}\n"
    assert not found({"main.py": behind}, tmp_path, ["DLL119"])
