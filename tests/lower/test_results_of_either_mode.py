"""A network that gives one thing in training and another in evaluation mode: what only one of them lacks is no fault.

Detectors return the maps of all scales while they are trained, and boxes of one tensor when they are not.
"""

from __future__ import annotations

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings

torch = pytest.importorskip("torch")

PROGRAM = """
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Conv2d(channels, 4, 1) for channels in (8, 16, 32)])

    def forward(self, x):
        for i in range(len(self.parts)):
            x[i] = self.parts[i](x[i])
        {returns}


head = Head()
fc = nn.Linear(4, 2)
out = head([torch.rand(2, 8, 4, 4), torch.rand(2, 16, 4, 4), torch.rand(2, 32, 4, 4)])
{use}
"""
RETURNS = (
    "if self.training:\n            return x\n        return torch.cat([part.flatten() for part in x])[None]",
    "if not self.training:\n            return torch.cat([part.flatten() for part in x])[None]\n        return x",
    "return x if self.training else torch.cat([part.flatten() for part in x])[None]",
    "if self.training:\n            return tuple(x)\n        return x[0].mean((2, 3))[:1]",
    "result = x\n        if not self.training:\n            result = x[0].mean((2, 3))[:1]\n        return result",
)
#: Each runs with a module that nothing has put into evaluation mode.
USES = [
    "print(out[1].shape)",
    "print(out[2][1])",
    "a = out[-2]",
    "a, b, c = out",
    "for part in out:\n    print(fc(part))",
    "fc(out[1])",
    "print([part.shape[2] for part in out])",
    "a = out[1:][1]",
    "b = torch.cat(list(out))",
    "def use(maps):\n    return maps[2]\nuse(out)",
    "b = out[0][:, 3, 1, 2]",
    "a, *others = out\nothers[1].mean()",
    "print(len(out), out[len(out) - 1])",
]


@pytest.mark.parametrize("returns", RETURNS)
def test_what_one_mode_lacks_is_no_fault(returns: str) -> None:
    for use in USES:
        text = PROGRAM.format(returns=returns, use=use)
        exec(text, {})
        told = [(found.code, found.severity, found.message) for found in findings(text)]
        assert [one for one in told if one[1] in (Severity.ERROR, Severity.WARNING)] == [], text
