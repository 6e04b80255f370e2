"""Probabilities that zeros and ones choose which were drawn by them."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import findings

TEXT = """
import torch
from torch import nn

class Unit(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x, target):
        p = torch.sigmoid(self.fc(x))
        q = p.detach()
        {draw}
        chosen = {chosen}
        return {use}
"""
DRAWS = (
    "b = torch.bernoulli(p)",
    "b = torch.bernoulli(p.detach())",
    "b = (torch.rand_like(p) < p).float()",
    "b = p.bernoulli()",
)
CHOSEN = ("{p} * b + (1 - {p}) * (1 - b)", "b * {p} + (1 - b) * (1 - {p})", "torch.add({p} * b, (1. - {p}).mul(1. - b))")
USES = ("target / chosen", "torch.log(chosen)", "chosen.log().sum()")


def dangers(text: str) -> list[str]:
    return [finding.code for finding in findings(text) if finding.code in ("DLN101", "DLN102") and finding.severity.rank < 2]


@pytest.mark.parametrize(("draw", "chosen", "use"), list(product(DRAWS, CHOSEN, USES)))
def test_what_was_drawn_is_not_impossible(draw: str, chosen: str, use: str) -> None:
    assert dangers(TEXT.format(draw=draw, chosen=chosen.format(p="p"), use=use)) == []


@pytest.mark.parametrize(
    ("draw", "use"), list(product(("b = target", "b = torch.bernoulli(target)", "b = torch.ones(4)"), USES[1:]))
)
def test_what_others_have_chosen_may_be(draw: str, use: str) -> None:
    assert dangers(TEXT.format(draw=draw, chosen="p * b + (1 - p) * (1 - b)", use=use)) != []
