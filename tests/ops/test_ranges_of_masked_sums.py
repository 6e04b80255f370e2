"""``x + (x == 0) * eps`` is never 0: what is only added where the other operand meets a condition."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from tests.rules.harness import findings

MADE = ("torch.softmax(x, -1)", "torch.sigmoid(x)", "torch.relu(x)", "x.abs()", "x.exp()")
#: Guards of ``p >= 0`` whose result is above 0.
GUARDED = (
    "z = p == 0.0\nz = z.float() * 1e-8\nq = p + z",
    "q = p + (p == 0) * 1e-8",
    "q = 1e-8 * (p <= 0).float() + p",
    "q = p + torch.eq(p, 0).to(p.dtype).mul(1e-6)",
    "q = p.clone()\nq += (p < 1e-8).float() * 1e-8",
    "q = p + torch.where(p == 0, 1e-8, 0.0)",
    "q = torch.where(p > 0, p, 1e-8)",
    "q = p.masked_fill(p == 0, 1e-8)",
    "q = p.clone()\nq[q == 0] = 1e-8",
    "q = p + (~(p > 0)).float() * 1e-8",
    "q = p + (1 - (p > 0).float()) * 1e-8",
    "q = p - (p == 0) * -1e-8",
    "q = p + (p == 0)",
    "q = torch.add(p, (p == 0).float(), alpha=1)",
)
#: The same with the wrong condition, sign or number; each gives 0 for some ``p``.
UNGUARDED = (
    "q = p + (p == 1) * 1e-8",
    "q = p + (p > 0) * 1e-8",
    "q = p + (p == 0) * 0.0",
    "q = p + (p != 0).float() * 1e-8",
    "q = p + torch.where(p == 0, 0.0, 1e-8)",
    "q = p + (1 - (p == 0).float()) * 1e-8",
)
WRITTEN = {
    "in one place": "import torch\n\nx = torch.randn(4, 3) * 1000\np = {made}\n{guard}\ny = torch.log(q)\n",
    "in a function": (
        "import torch\n\n\ndef scores(x):\n    p = {made}\n    {guard}\n    return p, q\n\n\n"
        "x = torch.randn(4, 3) * 1000\n_, q = scores(x)\ny = torch.log(q)\n"
    ),
    "in a method": (
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        p = {made}\n"
        "        {guard}\n        return p, q\n\n\nclass Agent:\n    def __init__(self):\n        self.net = Net()\n\n"
        "    def train(self, x):\n        _, probs = self.net(x)\n        return torch.log(probs)\n\n\n"
        "y = Agent().train(torch.randn(4, 3) * 1000)\n"
    ),
}


def program(made: str, guard: str, written: str) -> str:
    indent = {"in a function": "\n    ", "in a method": "\n        "}.get(written, "\n")
    return WRITTEN[written].format(made=made, guard=guard.replace("\n", indent))


def log_findings(text: str) -> list[str]:
    return [found.code for found in findings(text) if found.code == "DLN101"]


@pytest.mark.parametrize(("made", "guard", "written"), list(product(MADE, GUARDED, WRITTEN)))
def test_a_sum_with_what_is_added_at_zero_is_not_zero(made, guard, written):
    assert log_findings(program(made, guard, written)) == []


@pytest.mark.parametrize("guard", GUARDED)
def test_torch_says_so(guard):
    values = {"torch": torch, "p": torch.tensor([0.0, 1e-45, 1e-8, 0.5, 1.0])}
    exec(compile(guard, "guard", "exec"), values)
    assert bool((values["q"] > 0).all())


@pytest.mark.parametrize(("made", "guard", "written"), list(product(MADE[:3], UNGUARDED, WRITTEN)))
def test_another_condition_guards_nothing(made, guard, written):
    values = {"torch": torch, "p": torch.tensor([0.0, 0.5])}
    exec(compile(guard, "guard", "exec"), values)
    assert bool((values["q"] == 0).any())
    assert log_findings(program(made, guard, written)) == ["DLN101"]
