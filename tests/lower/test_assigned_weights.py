"""Layers whose weights were assigned compute with those, as torch does: other sizes, other element types, unknown ones."""

from __future__ import annotations

import pytest

from dllint.ir.program import Op
from tests.lower.tracing import lower

HEAD = """
import numpy as np
import torch
from torch import nn
from elsewhere import weights
"""
#: Layer, its new weight and bias, the input; none of the calls raises.
WORKING = {
    "wider": ("nn.Linear(4, 2)", "torch.randn(2, 5)", "torch.randn(2)", "torch.randn(3, 5)"),
    "double": ("nn.Linear(4, 2)", "torch.randn(2, 4).double()", "torch.zeros(2).double()", "torch.randn(3, 4).double()"),
    "array": ("nn.Conv1d(3, 4, 3)", "torch.tensor(np.random.randn(4, 3, 3))", "torch.tensor(np.zeros(4))",
              "torch.tensor(np.random.randn(2, 3, 9))"),
    "unknown": ("nn.Conv2d(3, 4, 3)", "torch.tensor(weights.w)", "torch.tensor(weights.b)",
                "torch.tensor(np.random.randn(2, 3, 9, 9))"),
    "more channels": ("nn.Conv2d(3, 4, 3)", "torch.randn(4, 1, 3, 3)", "torch.randn(4)", "torch.randn(2, 1, 9, 9)"),
    "norm": ("nn.LayerNorm(4)", "torch.ones(6)", "torch.zeros(6)", "torch.randn(3, 4)"),
}  # fmt: skip
ASSIGNED = ("{layer}.weight = nn.Parameter({weight})\n{layer}.bias = nn.Parameter({bias})",
            "{layer}.weight.data = {weight}\n{layer}.bias.data = {bias}",
            "p = nn.Parameter({weight})\nsetattr({layer}, 'weight', p)\n{layer}.bias = nn.Parameter({bias})")  # fmt: skip


def faults(source: str) -> list[Op]:
    return [op for program in lower(source).programs for op in program.ops if op.faults]


@pytest.mark.parametrize("how", range(len(ASSIGNED)))
@pytest.mark.parametrize("case", WORKING)
def test_a_call_that_fits_the_new_weights_is_no_fault(case: str, how: int) -> None:
    layer, weight, bias, x = WORKING[case]
    plain = f"net = {layer}\n{ASSIGNED[how].format(layer='net', weight=weight, bias=bias)}\ny = net({x})\n"
    assert faults(HEAD + plain) == []
    inside = ASSIGNED[how].format(layer="self.part", weight=weight, bias=bias).replace("\n", "\n        ")
    module = (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.part = {layer}\n        {inside}\n"
        f"    def forward(self, x):\n        return self.part(x)\nNet()({x})\n"
    )
    assert faults(HEAD + module) == []


def test_what_does_not_fit_the_new_weights_is_one() -> None:
    source = f"{HEAD}\nnet = nn.Linear(4, 2)\nnet.weight = nn.Parameter(torch.randn(2, 5))\ny = net(torch.randn(3, 4))\n"
    assert [op.kind for op in faults(source)] == ["linear"]


def test_tied_weights_of_the_same_type_change_nothing() -> None:
    source = f"{HEAD}\na, b = nn.Embedding(10, 4), nn.Linear(4, 10)\nb.weight = a.weight\ny = b(torch.randn(3, 5))\n"
    assert [op.kind for op in faults(source)] == ["linear"]
