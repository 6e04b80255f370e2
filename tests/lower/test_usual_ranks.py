"""Inputs of which no operation asks for one rank only get the rank that they usually have; nothing is proved by it."""

from __future__ import annotations

import textwrap

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

HEAD = """
import torch
import torch.nn.functional as F
from torch import nn

def kept(x):
    return (x * 2.0).clone()

class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.places = nn.Parameter(torch.zeros(1, 16, width))

    def forward(self, x):
"""
#: What ``forward`` does, and the rank that its input and its result have then.
HINTS = (
    ("return x[:, -1, :]", 3, 2),
    ("return x[:, :, 0]", 3, 2),
    ("return x[:, None, None, :]", 2, 4),
    ("return x.mean((2, 3))", 4, 2),
    ("return x.sum(dim=[2, 3, 4])", 5, 2),
    ("return x.transpose(1, 2)", 3, 3),
    ("return torch.softmax(x, dim=2)", 3, 3),
    ("return x + self.places[:, : x.size(1)]", 3, 3),
    ("return self.places + x", 3, 3),
    ("return self.norm(x).transpose(1, 2)", 3, 3),
    ("y = x[:, 0, :]\nreturn x.mean((1, 2, 3))", 4, 1),
    ("w = x.mean((2, 3))\nreturn x * w[:, :, None, None]", 4, 4),
)
#: What leaves the rank open.
OPEN = (
    "return x[:, 1:]",
    "return x[..., -1]",
    "return x[0]",
    "return x.mean(1)",
    "return x.mean((-1, -2))",
    "return x.transpose(-2, -1)",
    "return torch.softmax(x, dim=1)",
    "return x + torch.ones(4)",
    "if x.dim() == 3:\n    x = x[:, -1, :]\nreturn x",
    "return self.norm(x)",
)


def ranks(body: str, before: str = "") -> tuple[int | None, int | None]:
    """The rank of the input and of the result; no fault is shown on the way."""
    (program,) = [p for p in lower(HEAD + textwrap.indent(before + body, " " * 8)).programs if p.entry == "Net.forward"]
    assert not any(op.faults for op in program.ops)
    result = program.results
    rank = result.type.rank if isinstance(result, TensorVal) else None
    return program.inputs[0].type.rank, rank


@pytest.mark.parametrize(("body", "given", "made"), HINTS)
@pytest.mark.parametrize("before", ["", "x = kept(x)\n", "x = F.relu(x).contiguous()\n"])
def test_the_operation_that_names_most_axes_decides(body: str, given: int, made: int, before: str) -> None:
    assert ranks(body, before) == (given, made)


@pytest.mark.parametrize("body", OPEN)
def test_others_leave_it_open(body: str) -> None:
    assert ranks(body)[0] is None


def test_nothing_is_wrong_where_two_operations_suggest_different_ranks() -> None:
    source = HEAD + "        y = x[:, -1, :]\n        return y.mean((2, 3)), x.sum((2, 3)), x[:, :, 0] @ torch.ones(3, 2)\n"
    (program,) = [p for p in lower(source).programs if p.entry == "Net.forward"]
    assert not any(op.faults for op in program.ops)
    assert not isinstance(program.inputs[0].type.shape, Unknown)
