"""Rates of functional dropout that stay above 0 in evaluation, and those that need not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

NET = """import torch.nn.functional as F
from torch import nn


def dropped(x, rate):
    return F.dropout(x, rate)


class Net(nn.Module):
    def __init__(self, given, usual=0.5):
        super().__init__()
        self.given, self.usual = given, usual
        self.layer = nn.Linear(8, 8)

    def forward(self, x, flag=True):
        x = self.layer(x)
        {0}
        return x.contiguous()
"""
STAYS = (
    "x = F.dropout(x)",
    "x = F.dropout(x, 0.3)",
    "x = F.dropout2d(x[..., None], p=self.usual)",
    "x = F.dropout(x, self.given)",
    "rate = self.given\n        x = F.dropout(x, rate)",
    "x = dropped(x, self.usual)",
)
CHANGES = (
    "x = F.dropout(x, 0.0)",
    "rate = self.usual if self.training else 0.0\n        x = F.dropout(x, rate)",
    "x = F.dropout(x, self.usual * self.training)",
    "is_train = flag\n        x = F.dropout(x, 0.5 if is_train else 0)",
    "x = dropped(x, 0.3 * float(self.training))",
    "is_train = flag\n        if is_train:\n            x = F.dropout(x, 0.3)",
    "if not self.training:\n            return x\n        x = F.dropout(x, 0.3)",
    "x = F.dropout(x, 0.3, self.training)",
    "x = F.dropout(x, training=True)",
)


@pytest.mark.parametrize("use", STAYS)
def test_a_rate_that_stays(use: str, tmp_path: Path) -> None:
    assert found({"main.py": NET.format(use)}, tmp_path, ["DLS209"]) == ["DLS209"]


@pytest.mark.parametrize("use", CHANGES)
def test_a_rate_that_may_be_nothing(use: str, tmp_path: Path) -> None:
    assert not found({"main.py": NET.format(use)}, tmp_path, ["DLS209"])
