"""Results that could have several ranks get the one that they usually have; nothing is proved by it."""

from __future__ import annotations

import textwrap

import pytest

from dllint.domains.dim import DimExpr
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

HEAD = """
import torch
import torch.nn.functional as F
from torch import nn
from elsewhere import anything

class Net(nn.Module):
    def __init__(self, width, num_features, sizes, out_shape):
        super().__init__()
        self.half = width // 2
        self.width, self.num_features, self.sizes, self.out_shape = width, num_features, sizes, out_shape
        self.conv = nn.Conv1d(2, 3, 1)

    def forward(self, x, w, h):
"""
#: What makes a result, and its usual rank; ``self.conv(x)`` is (batch, 3, length).
USUAL = (
    ("self.conv(x).squeeze(-1)", 2),
    ("torch.squeeze(self.conv(x), dim=2)", 2),
    ("self.conv(x)[:, :1].squeeze(1).squeeze(1)", 1),
    ("torch.tensor([w, h, w, h])", 1),
    ("torch.as_tensor([w, anything(h)], dtype=torch.float32)", 1),
    ("torch.tensor([w, 1.0])", 1),
    ("torch.zeros(self.half)", 1),
    ("torch.ones(self.half - 1)", 1),
    ("torch.zeros(self.num_features)", 1),
    ("torch.full((self.half,), 2.0)", 1),
)
OPEN = (
    "torch.zeros(self.sizes)",
    "torch.zeros(self.out_shape)",
    "torch.zeros(anything(self.width))",
    "torch.tensor([[w], h])",
    "torch.tensor(anything(w))",
    "self.conv(x).squeeze(anything(w))",
)
BEHIND = ("", "y = y.clone()\n", "y = F.relu(y * 2)\n")


def traced(body: str) -> tuple[TensorVal, list[object]]:
    """What forward returns, and the faults on the way."""
    (program,) = [p for p in lower(HEAD + textwrap.indent(body, " " * 8)).programs if p.entry == "Net.forward"]
    assert isinstance(program.results, TensorVal)
    return program.results, [(op.kind, op.faults) for op in program.ops if op.faults]


@pytest.mark.parametrize(("made", "rank"), USUAL)
@pytest.mark.parametrize("behind", BEHIND)
def test_results_have_their_usual_rank(made: str, rank: int, behind: str) -> None:
    result, faults = traced(f"y = {made}\n{behind}return y")
    assert result.type.rank == rank
    assert faults == []


@pytest.mark.parametrize("made", OPEN)
def test_others_stay_open(made: str) -> None:
    assert traced(f"return {made}")[0].type.rank is None


#: What would be wrong with a result of its usual rank.
WRONG = (
    "y.view(5, 7)",
    "y[:, :, :, 0, 0]",
    "y @ torch.ones(3, 3, 3)",
    "torch.cat([y, torch.ones(2, 2, 2, 2)])",
    "torch.softmax(y, dim=4)",
    "y + torch.ones(2, 5)",
)
#: Results whose rank nothing but habit tells.
UNPROVED = [made for made, _ in USUAL if "[:, :1]" not in made and "full" not in made]


@pytest.mark.parametrize("made", UNPROVED)
@pytest.mark.parametrize("use", WRONG)
def test_nothing_is_proved_by_it(made: str, use: str) -> None:
    assert traced(f"y = {made}\nreturn {use}")[1] == []


@pytest.mark.parametrize("made", [made for made, _ in USUAL[:3]])
def test_sizes_are_symbols(made: str) -> None:
    shape = traced(f"return {made}")[0].shape
    assert isinstance(shape, tuple)
    assert all(isinstance(size, DimExpr) for size in shape)
