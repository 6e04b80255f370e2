"""A squeeze of everything in a model drops the batch of a single sample, whatever number of axes it is meant for."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings, fixed

MODEL = """
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.pool, self.out = nn.Conv2d(3, 8, 3), {pool}, nn.Linear(8, 10)

    def forward(self, x, y=None):
        h = self.pool(F.relu(self.conv(x)))
        h = {squeeze}
        return {result}
"""
POOLS = ("nn.AdaptiveAvgPool2d(1)", "nn.AdaptiveMaxPool2d((1, 1))")
#: What fails without the batch axis, with torch 2.13, and what does not.
FAILS = ("F.nll_loss(F.log_softmax(self.out(h), 1), y)", "F.log_softmax(self.out(h), dim=1)", "torch.cat([self.out(h), h], 1)")
WORKS = ("self.out(h)", "F.softmax(self.out(h), dim=-1)", "torch.sigmoid(self.out(F.relu(h)))")


def told(pool: str, squeeze: str, result: str) -> list[Severity]:
    text = MODEL.format(pool=pool, squeeze=squeeze, result=result)
    return [f.severity for f in findings(text) if f.code == "DLT119"]


@pytest.mark.parametrize("squeeze", ["h.squeeze()", "torch.squeeze(h)", "h.squeeze(-1).squeeze()"])
def test_squeezes_that_drop_the_batch(squeeze: str) -> None:
    for pool, result in product(POOLS, FAILS + WORKS):
        assert told(pool, squeeze, result) == [Severity.WARNING if result in FAILS else Severity.INFO], result


@pytest.mark.parametrize("squeeze", ["h.flatten(1)", "h.squeeze(-1).squeeze(-1)", "h[:, :, 0, 0]", "h.mean((2, 3)).squeeze()"])
def test_squeezes_that_do_not(squeeze: str) -> None:
    assert [told(pool, squeeze, result) for pool, result in product(POOLS, FAILS)] == [[]] * 6


def test_the_fix_flattens_what_is_behind_the_batch() -> None:
    text = MODEL.format(pool=POOLS[0], squeeze="h.squeeze()", result=FAILS[0])
    assert fixed(text) == text.replace("h.squeeze()", "h.flatten(1)")
