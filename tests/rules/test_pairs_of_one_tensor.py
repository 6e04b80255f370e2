"""How often an element is equal to one of the same tensor: at least once, to itself; to one of another tensor it may be never.

Divided by such a number, a result that a condition leaves out has a gradient that is finite."""

from __future__ import annotations

import itertools

import pytest

from tests.rules.harness import findings

PROGRAM = """
import torch


def loss(features: torch.Tensor, width: int):
    y = torch.randint(0, 3, (8,))
    other = torch.randint(0, 3, (8,))
    weights = torch.nn.Linear(8, 8)(features).pow(2).mean()
    mask = {mask}
    {change}
    count = {count}
    return torch.where(torch.eye(8) > 0, weights / count, torch.zeros(8, 8)).sum()


loss(torch.randn(8, 8), 3).backward()
"""
LINES = (("y.reshape(1, -1)", "y.reshape(-1, 1)"), ("y[:, None]", "y[None, :]"), ("y.unsqueeze(0)", "y.unsqueeze(1)"),
         ("y.view(1, 8)", "y.view(1, 8).t()"),
         ("y.view(-1, 1)", "y.view(-1, 1).T"), ("y[None]", "y[None].transpose(0, 1)"))  # fmt: skip
COMPARED = ("{a} == {b}", "({a} - {b}) == 0", "torch.eq({a}, {b})", "{b}.eq({a})")
COUNTS = ("mask.sum()", "torch.sum(mask)", "mask.float().sum()", "mask.sum(1, keepdim=True)", "mask.long().sum(dim=0)")
#: What takes away that each element is counted with itself.
OTHERWISE = (
    ("y[:, None] == other[None]", "", "mask.sum()"),
    ("y[:, None] - other[None] == 0", "", "mask.sum()"),
    ("y[:, None] == y[None]", "", "(~mask).sum()"),
    ("y[:, None] != y[None]", "", "mask.sum()"),
    ("y[:, None] - y[None] == 1", "", "mask.sum()"),
    ("y[:, None] == y[None]", "mask = mask & ~torch.eye(8, dtype=torch.bool)", "mask.sum()"),
    ("y[:, None] == y[None]", "mask[torch.arange(8), torch.arange(8)] = False", "mask.sum()"),
    ("y[:, None] == y[None]", "mask[:] = False", "mask.sum()"),
    ("y[:4, None] == y[None, 4:]", "", "mask.sum()"),
    ("y[:, None] == y.flip(0)[None]", "", "torch.diagonal(mask).sum()"),
    ("y[:, None] == y[None]", "", "mask.reshape(4, 16).sum(1).repeat(2)"),
    ("y[1:, None] == y[None, :-1]", "", "mask.sum()"),
)  # fmt: skip


def traps(mask: str, change: str, count: str) -> list[str]:
    """The codes found for a program whose divisor is a count."""
    return [found.code for found in findings(PROGRAM.format(mask=mask, change=change, count=count)) if found.code == "DLN107"]


@pytest.mark.parametrize("compared", COMPARED)
def test_each_element_meets_itself(compared: str) -> None:
    for (a, b), count in itertools.product(LINES, COUNTS):
        assert traps(compared.format(a=a, b=b), "", count) == [], (a, b, count)


@pytest.mark.parametrize(("mask", "change", "count"), OTHERWISE)
def test_a_count_that_may_be_zero_is_found(mask: str, change: str, count: str) -> None:
    assert traps(mask, change, count) == ["DLN107"]
