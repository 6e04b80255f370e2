"""Tensors that are given to code which is not followed: it may have put other numbers into them."""

from __future__ import annotations

import pytest

from tests.rules.harness import reports

TEXT = """
import torch
import torch.distributed as dist
import somewhere

sizes = torch.tensor([3, 2])
{call}
x = torch.zeros({number}, 3) + torch.zeros(4, 3)
"""
NUMBERS = ["int(sizes[0])", "sizes[0].item()", "sizes.tolist()[0]"]
CALLS = [
    "dist.all_reduce(sizes)",
    "dist.broadcast(sizes, src=0)",
    "somewhere.fill(sizes)",
    "somewhere.fill(data=sizes)",
    "somewhere.Filler(sizes).run()",
    "somewhere.fill(sizes[:1])",
    "view = sizes.view(2)\nsomewhere.fill(view)",
]


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("call", CALLS)
def test_its_numbers_are_not_known_any_more(call, number):
    assert "DLT109" not in [code for _, code in reports(TEXT.format(call=call, number=number))]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("call", ["print(sizes)", "somewhere.fill(sizes.clone())", "somewhere.fill(1)"])
def test_numbers_of_others_are_known(call, number):
    assert "DLT109" in [code for _, code in reports(TEXT.format(call=call, number=number))]
