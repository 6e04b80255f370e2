"""A float32 sigmoid of itself reaches 0 for scores below -88 only, which training does not make: that it does is no warning."""

from __future__ import annotations

import itertools

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings

NET = """
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(64, 4){half}

    def forward(self, x, y):
        p = {activation}
        q = {operand}
        return ({use}).mean()


head = Head()
loss = head(torch.randn(2, 64{dtype}), torch.randn(2, 4{dtype}))
loss.backward()
"""
SIGMOIDS = ("torch.sigmoid(self.fc(x))", "self.fc(x).sigmoid()", "nn.functional.sigmoid(self.fc(x))")
SOFTMAX = "torch.softmax(self.fc(x), 1)"
#: What an operation takes, made of an activation → whether it is 0 where a sigmoid is 0, rather than 1.
OPERANDS = {
    "2 * p": True,
    "0.5 * p.reshape(2, 4)": True,
    "p * p": True,
    "1 - p": False,
    "2 * (1.0 - p)": False,
    "p * (1 - p)": False,
}
USES = {"y / q": "DLN102", "1 / q": "DLN102", "torch.log(q)": "DLN101", "q.log()": "DLN101", "torch.reciprocal(q)": "DLN102"}
HALF = (".half()", ", dtype=torch.float16")


def _warned(activation: str, operand: str, use: str, half: tuple[str, str] = ("", "")) -> bool:
    """Whether an operation is told to meet 0: by its own rule or, of the logarithm of 1 - p, by that of its stable form."""
    text = NET.format(activation=activation, operand=operand, use=use, half=half[0], dtype=half[1])
    found = {one.severity for one in findings(text) if one.code in (USES[use], "DLN105")}
    return Severity.WARNING in found


@pytest.mark.parametrize("use", list(USES))
def test_a_sigmoid_comes_near_one_in_training_but_not_to_zero(use):
    for activation, operand in itertools.product(SIGMOIDS, OPERANDS):
        assert _warned(activation, operand, use) is not OPERANDS[operand], (activation, operand)


@pytest.mark.parametrize("use", list(USES))
def test_a_softmax_and_a_sigmoid_of_half_precision_come_to_zero(use):
    for operand in ("2 * p", "0.5 * p.reshape(2, 4)"):
        assert _warned(SOFTMAX, operand, use), operand
        assert _warned(SIGMOIDS[0], operand, use, HALF), operand
