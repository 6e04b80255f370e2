"""An input of unknown shape that the arms of an undecided condition refine: what one demands holds behind them, what they
demand differently does not."""

from __future__ import annotations

import itertools

import pytest

from dllint.domains.lattice import Unknown
from tests.lower.tracing import lower, ops

UNPACKED = {2: "b, d = {x}.size()", 3: "b, c, d = {x}.shape", 4: "b, c, h, w = {x}.size()"}
LAYERS = {3: "nn.Conv1d(5, 7, 3)({x})", 4: "nn.Conv2d(5, 7, 3)({x})", 5: "nn.Conv3d(5, 7, 3)({x})"}
INLINE = """
import sys
import torch
from torch import nn

x, flag = torch.Tensor(eval(sys.argv[1])), sys.argv[2] == "yes"
{body}
"""
HELPER = """
import sys
import torch
from torch import nn

def used(x, flag):
{body}

def twice(x, flag):
    used(x, flag)
    return used(x, flag)

twice(torch.Tensor(eval(sys.argv[1])), sys.argv[2].split("flag")[1] == "yes")
"""


def arms(name: str, one: str, other: str) -> str:
    return f"if flag:\n    {one.format(x=name)}\nelse:\n    {other.format(x=name)}\n"


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


CASES = [
    *itertools.permutations(UNPACKED.values(), 2),
    *itertools.permutations(LAYERS.values(), 2),
    (UNPACKED[3], LAYERS[4]),
    (LAYERS[4], UNPACKED[3]),
]


@pytest.mark.parametrize(("one", "other"), CASES)
def test_arms_that_demand_other_ranks_leave_the_rank_open(one, other):
    body = arms("x", one, other)
    for text in (INLINE.format(body=body * 2), HELPER.format(body=indented(body))):
        assert not [op for program in lower(text).programs for op in program.ops if op.faults]


@pytest.mark.parametrize(("one", "other"), list(itertools.permutations((1, 3, 5), 2)))
def test_arms_that_demand_other_channels_leave_the_channels_open(one, other):
    body = arms("x", f"nn.Conv2d({one}, 7, 3)({{x}})", f"nn.Conv2d({other}, 7, 3)({{x}})")
    text = INLINE.format(body=body * 2 + "y = torch.abs(x)")
    assert not [op for program in lower(text).programs for op in program.ops if op.faults]
    (taken,) = ops(text, "abs")
    assert len(taken.output.shape) == 4
    assert not isinstance(taken.output.shape[1], int)


@pytest.mark.parametrize("layer", LAYERS.values())
@pytest.mark.parametrize("other", ["pass", "print({x})", "y = torch.abs({x})"])
def test_what_one_arm_demands_holds_behind_both(layer, other):
    text = INLINE.format(body=arms("x", layer, other) + "y = torch.neg(x)")
    (taken,) = ops(text, "neg")
    assert not isinstance(taken.output.shape, Unknown)
    assert taken.output.shape[1] == 5
