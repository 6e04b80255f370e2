"""The largest of numbers that are written out stands in one place: a part need not hold it. Every part of what is drawn may."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

PROGRAM = """
import numpy as np
import torch
from torch import nn

rows = nn.Embedding(2, 3)
table = {table}
part = {part}
out = rows(part{later})
"""
WRITTEN = (
    "torch.tensor([[0, 1], [0, 7]])", "torch.from_numpy(np.array([[0, 1], [0, 7]]))",
    "torch.tensor(np.array([[0, 1], [0, 7]]))", "torch.arange(4).view(2, 2)",
    "torch.tensor([[0, 1], [0, 7]]).clone().contiguous()",
)  # fmt: skip
PARTS = ("table[0]", "table[0, :]", "table[:1]", "table.unbind(0)[0]", "table.split(1)[0]", "torch.chunk(table, 2)[0]")
LATER = ("", ".contiguous()", ".reshape(-1)")


def faults(table: str, part: str, later: str = "") -> list[str]:
    programs = lower(PROGRAM.format(table=table, part=part, later=later)).programs
    return [fault.kind for program in programs for op in program.ops for fault in op.faults]


@pytest.mark.parametrize("table", WRITTEN)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("later", LATER)
def test_a_part_of_what_is_written_out(table, part, later):
    assert faults(table, part, later) == []


@pytest.mark.parametrize("table", WRITTEN)
@pytest.mark.parametrize("later", LATER)
def test_the_whole_is_told(table, later):
    assert faults(table, "table", later) == ["index-range"]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_what_is_drawn(part):
    assert faults("torch.randint(0, 9, (2, 2))", part) == ["index-range"]
