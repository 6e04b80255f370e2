"""``eval`` of a dotted name is that name; any other text may change what the function has names for."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

NET = """
import torch
from torch import nn
from elsewhere import depth, code

class Net(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.first = nn.ModuleList()
        self.second = nn.ModuleList()
        {fill}
        self.head = nn.Linear(40, 10)

    def forward(self, x):
        for part in self.first:
            x = part(x)
        for part in self.second:
            x = part(x)
        return self.head(x)

y = Net([20, 30, 40])(torch.randn(8, 20))
"""
KNOWN = (
    "for n, name in enumerate(('first', 'second')):\n"
    "            eval('self.%s' % name).append(nn.Linear(widths[n], widths[n + 1]))",
    "for n, name in enumerate(('first', 'second')):\n"
    "            part = eval(f'self.{name}')\n            part.append(nn.Linear(widths[n], widths[n + 1]))",
)
UNKNOWN = (
    "for n in range(depth()):\n            eval('self.' + code.name(n)).append(nn.Linear(widths[n], widths[n + 1]))",
    "exec(code.read())",
    "exec('self.first.append(nn.Linear(20, 40))')",
)


def faults(fill: str) -> list[str]:
    return [op.kind for program in lower(NET.format(fill=fill)).programs for op in program.ops if op.faults]


@pytest.mark.parametrize("fill", KNOWN + UNKNOWN)
def test_what_is_added_by_text_is_there(fill: str) -> None:
    assert faults(fill) == []


def test_a_name_that_is_looked_up_is_followed() -> None:
    assert faults("eval('self.first').append(nn.Linear(20, 41))") == ["linear"]


def test_text_that_computes_changes_nothing() -> None:
    assert faults("size = eval('2 + 3')") == ["linear"]
