"""Loops that would only make a long trace longer are run until they settle, others pass by pass."""

from __future__ import annotations

from typing import Final

import pytest

from dllint.ir.program import Program
from tests.lower.tracing import lower, program

_PLAIN: Final = "import torch\nx = torch.rand(4, 4)\n"


def _count(traced: Program, kind: str) -> int:
    return sum(op.kind == kind for op in traced.ops)


def test_a_short_trace_has_every_pass():
    traced = program(_PLAIN + "for i in range(100):\n    x = x * 0.5\n")
    assert _count(traced, "mul") == 100
    assert not traced.carried


def test_nested_loops_settle_once_the_trace_is_long():
    traced = program(
        _PLAIN
        + """
for i in range(60):
    for j, row in enumerate(range(60)):
        y = torch.exp(x) + j
        x[i % 4, j % 4] = 0.0
"""
    )
    assert len(traced.ops) < 1_000
    assert traced.carried


def test_what_a_settled_loop_replaces_may_have_any_number_of_passes():
    traced = program(_PLAIN + "for i in range(100):\n    for j in range(100):\n        x = x * 2.0\n")
    last = traced.ops[-1].output
    assert last.id in {value.id for values in traced.carried.values() for value in values}


def test_a_loop_that_collects_objects_is_unrolled():
    traced = program(
        _PLAIN
        + """
for i in range(120):
    for j in range(10):
        x = x * 2.0
layers = []
for i in range(40):
    y = torch.relu(x)
    layers.append(y)
"""
    )
    assert _count(traced, "relu") == 40


def test_a_counted_loop_that_trains_settles():
    traced = program(
        """
import torch
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
step = 0
while step < 100:
    loss = net(torch.rand(2, 4)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1
"""
    )
    assert 2 <= _count(traced, "linear") <= 3


WRITES = {
    "an element": "found[i, j] = y.mean()",
    "a list": "rows.append(y)",
    "an attribute": "net.last = y",
    "a table": "table[(i, j)] = y",
}
LOOPS = {
    "two ranges": "for i in range(100):\n    for j in range(100):\n        {}",
    "a range and a while": "for i in range(100):\n    j = 0\n    while j < 100:\n        j += 1\n        {}",
    "a function": "def one(i):\n    for j in range(100):\n        {}\n\nfor i in range(100):\n    one(i)",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("write", WRITES)
def test_loops_that_change_something_end_as_well(loop: str, write: str) -> None:
    body = f"x = torch.zeros(2, 8) * j\n        y = net(x)\n        {WRITES[write]}"
    source = f"""
import torch
from torch import nn

net = nn.Sequential(*[nn.Linear(8, 8) if n % 2 else nn.Tanh() for n in range(60)])
found, rows, table = torch.zeros(100, 100), [], {{}}
{LOOPS[loop].format(body)}
wrong = nn.Linear(9, 3)(torch.zeros(2, 8))
"""
    module = next(one for one in lower(source).programs if one.entry == "<module>")
    assert len(module.trace) < 40_000
    assert [op.kind for op in module.ops if op.faults] == ["linear"]
