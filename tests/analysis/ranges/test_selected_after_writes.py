"""Elements that a mask selects lie within its limit as long as nothing has been assigned to them since it was computed."""

from __future__ import annotations

import itertools

import pytest

from tests.rules.harness import findings

TEXT = """\
import torch
from torch import nn


class Softplus(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        data = self.fc(x)
        {mask}
        {write}
        low = data[{low}]
        return torch.log(1 + torch.exp(low * 1))
"""
#: How a mask is computed → what selects the elements below its limit, and what the others.
MASKS = {
    "mask = data > 20": ("~mask", "mask"),
    "mask = 20 >= data": ("mask", "~mask"),
    "mask = torch.lt(data, 20.0)": ("mask", "torch.logical_not(mask)"),
    "over = data > 20\n        mask = ~over": ("mask", "over"),
    "over = data > 20\n        mask = torch.logical_not(~over)": ("~mask", "mask"),
}
#: Assignments to the elements above the limit, which leave the others as they are.
BESIDE = (
    "pass",
    "data[{high}] = data[{high}]",
    "data[{high}] = 1000.0",
    "data[{high}] = self.fc(x)[{high}]",
    "data[{high}] = data[{high}]\n        data[{high}] *= 2",
)
#: Those that may change the selected ones.
INTO = (
    "data[{low}] = self.fc(x)[{low}]",
    "data[:, 1] = 1000.0",
    "data[{high}] = data[{high}]\n        data[0] = 1000.0",
    "data[self.fc(x) > 0] = 1000.0",
    "data.fill_(1000.0)",
)


def overflows(mask: str, write: str) -> bool:
    low, high = MASKS[mask]
    text = TEXT.format(mask=mask, write=write.format(low=low, high=high), low=low)
    return any(finding.code in ("DLN103", "DLN105") for finding in findings(text))


@pytest.mark.parametrize(("mask", "write"), list(itertools.product(MASKS, BESIDE)))
def test_what_is_assigned_to_the_others_does_not_matter(mask: str, write: str) -> None:
    assert not overflows(mask, write)


@pytest.mark.parametrize(("mask", "write"), list(itertools.product(MASKS, INTO)))
def test_what_may_be_assigned_to_them_does(mask: str, write: str) -> None:
    assert overflows(mask, write)
