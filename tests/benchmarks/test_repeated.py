"""The upper bound of what a store of summaries could save: which calls count as repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.speed.repeated import Repeats, measured

PROGRAM = """\
from torch import nn


def width(groups, each):
    return groups * each


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = nn.Linear(size, size)


first, second, third = Block({0}), nn.ReLU(), Block({1})
print(width({0}, 2), width({1}, 2))
"""


@pytest.mark.parametrize(
    ("sizes", "first", "second", "repeated"), [(False, 8, 8, 1), (False, 8, 16, 0), (True, 8, 16, 2), (True, 8, 8, 1)]
)
def test_repeated_are_calls_with_equal_arguments_or_with_other_numbers(
    tmp_path: Path, sizes: bool, first: int, second: int, repeated: int
) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(first, second), encoding="utf-8")
    repeats = Repeats(sizes=sizes)
    assert measured([path], repeats)["calls"] >= 3
    assert repeats.repeated == repeated  # an object like the last one of its class is copied, which is no call
