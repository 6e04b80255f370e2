"""A constructor with a comprehension in it is executed once for equal blocks in a row, as any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.lower.document import lower_document
from dllint.lower.options import Options
from dllint.source.document import Document

PROGRAM = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, **options):
        super().__init__()
        {statement}
        self.layers = nn.Sequential(nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width))

    def forward(self, x):
        return self.layers(x)


net = nn.Sequential(*[Block(8, act="relu", norm=None) for _ in range({blocks})])
"""
STATEMENTS = (
    "options = {key: value for key, value in options.items() if value is not None}",
    "names = [key for key in options]",
    "known = any(value for value in options.values())",
    "pairs = {key for key, value in options.items()}",
)


def spent(statement: str, blocks: int) -> int:
    """The fuel that the program takes at least, found by bisection."""
    document = Document.from_text(
        Path("/code/net.py"), PROGRAM.replace("{statement}", statement).replace("{blocks}", str(blocks))
    )
    low, high = 1, 4096
    while low < high:
        middle = (low + high) // 2
        cut = lower_document(document, options=Options(fuel=middle)).cut
        low, high = (middle + 1, high) if "<module>" in cut else (low, middle)
    return low


@pytest.mark.parametrize("statement", STATEMENTS)
def test_further_blocks_cost_next_to_nothing(statement):
    passes = 36  # of the comprehension that builds the blocks
    assert spent(statement, 40) - spent(statement, 4) <= passes
