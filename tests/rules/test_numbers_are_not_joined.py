"""``cat`` of what a reduction over all axes leaves fails for every input, also where nobody calls the code, and under a
condition; what may have axes is not told."""

from __future__ import annotations

import itertools

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings

NUMBERS = {
    "sum": "torch.sum(kept * 2)",
    "method": "kept.mean()",
    "norm": "(kept ** 2).sum().sqrt()",
    "softmax": "-(kept.softmax(dim=-1) * kept.log_softmax(dim=-1)).sum()",
    "copied": "kept.max().clone().contiguous()",
}
JOINED = {
    "pair": "torch.cat((number, number), 0)",
    "list": "torch.cat([number, other])",
    "several": "torch.cat([number, kept.sum(), other], dim=-1)",
}
PLACES = {
    "alone": "        return {joined}",
    "in a branch": "        if flag:\n            return {joined}\n        return number",
    "behind a helper": "        return self.last({joined})",
}
PROGRAM = """\
import torch
from torch import nn


class Loss(nn.Module):
    def __init__(self, flag):
        super().__init__()
        self.last = nn.Identity()

    def forward(self, values, flag=None):
        kept = values.detach()
        number = {number}
        other = number * 0.5
{place}
"""


@pytest.mark.parametrize(("number", "joined", "place"), list(itertools.product(NUMBERS, JOINED, PLACES)))
def test_numbers_that_are_joined_are_a_warning(number: str, joined: str, place: str) -> None:
    line = PLACES[place].format(joined=JOINED[joined])
    found = findings(PROGRAM.format(number=NUMBERS[number], place=line))
    told = {finding.severity for finding in found if finding.code in ("DLT102", "DLT109")}
    assert told == {Severity.WARNING}, [finding.message for finding in found]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "joined", ["torch.stack((number, other))", "torch.cat((number[None], other.view(1)))", "torch.cat((values, kept))"]
)
def test_numbers_with_an_axis_are_joined(number: str, joined: str) -> None:
    text = PROGRAM.format(number=NUMBERS[number], place=PLACES["alone"].format(joined=joined))
    assert not [finding for finding in findings(text) if finding.code.startswith("DLT")]


@pytest.mark.parametrize("reduced", ["kept.sum(flag)", "kept.mean(0)", "kept.sum(-1)", "kept.max(0).values"])
def test_reductions_over_one_axis_may_leave_others(reduced: str) -> None:
    text = PROGRAM.format(number=reduced, place=PLACES["alone"].format(joined=JOINED["list"]))
    assert not [finding for finding in findings(text) if finding.severity in (Severity.WARNING, Severity.ERROR)]
