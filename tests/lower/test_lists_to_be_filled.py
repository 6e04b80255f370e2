"""An empty list that a name holds may be filled by code that is not followed, so nothing is proved by its length."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

HEAD = """
import numpy as np
import torch
from elsewhere import view

class Points:
    def __init__(self):
        self.first = []
        self.pairs = [[] for _ in range(2)]
        self.named = {"a": []}

    def on_click(self, x, y):
        self.first.append((x, y, 1))

    def watch(self):
        view.listen((self.first, self.pairs, self.named), self.on_click)

points = Points()
points.watch()
"""
HELD = ("points.first", "points.pairs[1]", "points.named['a']")
#: Written with the list in brackets.
MADE = ("np.array({})", "np.asarray({}).copy()", "torch.tensor({})", "torch.as_tensor({}).float()", "np.asarray({}, 'float32')")


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("held", HELD)
def test_its_length_is_no_size(held: str, made: str) -> None:
    library = "torch" if "torch" in made else "np"
    source = f"{HEAD}x = {made.format(held)}\nother = {library}.zeros((3, 3))\ny = x @ other\nz = x - other\n"
    assert [(op.kind, op.faults) for program in lower(source).programs for op in program.ops if op.faults] == []


def test_an_empty_list_that_is_written_out_is_one() -> None:
    source = "import numpy as np\nx = np.array([])\ny = x @ np.zeros((3, 3))\n"
    assert [op.kind for program in lower(source).programs for op in program.ops if op.faults] == ["matmul"]
