"""What ``zip(*rows)`` gives of rows of unknown number, and what is drawn from a list, is known as far as the rows are."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import ListVal
from tests.lower.tracing import lower

HEAD = """
import random
from collections import deque, namedtuple
import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

Row = namedtuple("Row", "x y")

def f(count, flag):
"""
#: How rows of (tensor of 7×3, number) come about.
ROWS = (
    "rows = [(torch.zeros(7, 3), 1.0) for _ in range(count)]",
    "rows = [Row(torch.zeros(7, 3), 1.0) for _ in range(count)]",
    "rows = []\n    for _ in range(count):\n        rows.append([torch.zeros(7, 3), 1.0])",
    "rows = deque(maxlen=100)\n    for _ in range(count):\n        rows.append((torch.zeros(7, 3), 1.0))",
    "kept = [(torch.zeros(7, 3), 1.0) for _ in range(count)]\n    rows = random.sample(kept, 8)",
    "kept = [(torch.zeros(7, 3), 1.0) for _ in range(5)]\n    rows = random.choices(kept, k=8)",
    "kept = [(torch.zeros(7, 3), 1.0) for _ in range(100)]\n    rows = random.sample(kept, 8)",
    "kept = deque(maxlen=999)\n    for _ in range(200):\n        kept.append((torch.zeros(7, 3), 1))\n"
    "    rows = random.sample(kept, 8)",
)
#: What is made of their columns, and its shape but for the number of rows.
USES = (
    ("xs, ys = zip(*rows)\n    return torch.stack(xs)", (7, 3)),
    ("xs, ys = zip(*rows)\n    return torch.tensor(ys)", ()),
    ("xs, ys = map(list, zip(*rows))\n    return torch.stack(xs)", (7, 3)),
    ("batch = Row(*zip(*rows))\n    return torch.stack(batch.x)", (7, 3)),
    ("xs, _ = zip(*rows)\n    return pad_sequence(list(xs), batch_first=True)", (None, 3)),
)


@pytest.mark.parametrize(("rows", "use"), list(product(ROWS, USES)))
def test_a_column_has_what_all_rows_have(rows: str, use: tuple[str, tuple[int | None, ...]]) -> None:
    body, shape = use
    (program,) = [p for p in lower(f"{HEAD}    {rows}\n    {body}\n").programs if p.entry == "f"]
    assert not any(op.faults for op in program.ops)
    result = program.results
    assert isinstance(result, TensorVal)
    assert isinstance(result.shape, tuple)
    assert not isinstance(result.shape[0], int)
    assert [size if isinstance(size, int) else None for size in result.shape[1:]] == list(shape)


@pytest.mark.parametrize(
    "rows",
    [
        "rows = flag",
        "rows = [(torch.zeros(3), 1) if flag else (torch.zeros(3),) for _ in range(count)]",
        "rows = [(torch.zeros(3), 1)] + [flag for _ in range(count)]",
        "rows = [torch.zeros(7, 3) for _ in range(count)]",
        "rows = random.sample(flag, 3)",
        "rows = [(torch.zeros(3 if flag else 4), 1) for _ in range(count)]",
    ],
)
def test_nothing_is_wrong_or_invented_where_rows_may_differ(rows: str) -> None:
    source = f"{HEAD}    {rows}\n    xs, ys = zip(*rows)\n    more = xs + (torch.zeros(3),)\n    return torch.stack(xs)\n"
    (program,) = [p for p in lower(source).programs if p.entry == "f"]
    assert not any(op.faults for op in program.ops)
    result = program.results
    assert not isinstance(result, TensorVal) or isinstance(result.shape, Unknown) or not isinstance(result.shape[-1], int)


def test_of_very_many_known_elements_nothing_is_said() -> None:
    source = f"{HEAD}    rows = [(torch.zeros(3), 1) for _ in range(300)]\n    return random.sample(rows, 4)\n"
    (program,) = [p for p in lower(source).programs if p.entry == "f"]
    assert isinstance(program.results, ListVal)
    assert isinstance(program.results.rest, Unknown)
    assert not any(op.kind == "phi" for op in program.ops)
