"""A result that a loop leaves under a name that nobody reads afterwards has no further use: rules that ask who takes a result
find inside every form of loop and branch what they find outside."""

from __future__ import annotations

import pytest

from tests.rules.harness import reports

_FORMS = {
    "none": "{0}",
    "loop": "for step in range(3):\n{1}",
    "nested": "for epoch in range(3):\n    for step in range(3):\n{2}",
    "loader": "for epoch in range(3):\n    correct = 0\n    for a, b in loader:\n{2}\n        correct += 1",
    "while": "step = 0\nwhile step < 9:\n{1}\n    step += 1",
    "branch in a loop": "for step in range(3):\n    if step % 2:\n{2}",
    "try in a loop": "for step in range(3):\n    try:\n{2}\n    except ValueError:\n        pass",
    "two rows of loops": "for epoch in range(2):\n    for step in range(3):\n{2}\n    for step in range(3):\n        pass",
}
_HEAD = """import torch
from torch import nn
import torch.nn.functional as F
fc, last = nn.Linear(8, 8), nn.Linear(8, 10)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(9, 8), torch.zeros(9)), batch_size=3)
optimizer = torch.optim.SGD([*fc.parameters(), *last.parameters()], lr=0.1)
"""
_BODIES = {
    "DLS204": "optimizer.zero_grad()\nout = F.log_softmax(F.relu(last(torch.randn(4, 8))), dim=1)\n"
    "loss = F.nll_loss(out, torch.zeros(4, dtype=torch.long))\nloss.backward()\noptimizer.step()",
    "DLS202": "optimizer.zero_grad()\nhidden = torch.sigmoid(fc(torch.randn(4, 8)))\nout = last(torch.relu(hidden))\n"
    "loss = F.cross_entropy(out, torch.zeros(4, dtype=torch.long))\nloss.backward()\noptimizer.step()",
    "DLN105": "optimizer.zero_grad()\nout = torch.softmax(last(torch.randn(4, 8)), dim=1)\nlogs = torch.log(out)\n"
    "loss = F.nll_loss(logs, torch.zeros(4, dtype=torch.long))\nloss.backward()\noptimizer.step()",
}


def _indented(text: str, depth: int) -> str:
    return "\n".join("    " * depth + line for line in text.split("\n"))


@pytest.mark.parametrize("code", _BODIES)
def test_a_rule_finds_in_a_loop_what_it_finds_outside(code: str) -> None:
    body = _BODIES[code]
    silent = [
        form
        for form, text in _FORMS.items()
        if code not in [found for _, found in reports(_HEAD + text.format(*(_indented(body, depth) for depth in range(3))))]
    ]
    assert silent == []
