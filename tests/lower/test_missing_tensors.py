"""A tensor that is missing by default, compared with a number, is a tensor of truths where it is given."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.domains.lattice import Unknown
from tests.lower.tracing import lower

TEXT = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, configs):
        super().__init__()
        self.task = configs.task
        self.layer = nn.Linear(8, 8)

    def fill(self, x, {mask}):
        return {use}

    def forward(self, x, {mask}=None):
        if self.task == 'other':
            return self.layer(x)
        return self.fill(x, {mask})
"""
USES = (
    "torch.sum(x, dim=1) / torch.sum({test}, dim=1)", "x.masked_fill({test}, 0.0)", "torch.where({test}, x, -x)",
    "torch.any({test}, dim=-1)", "self.layer(x).masked_fill(mask={test}, value=0)", "torch.stack([x, x], 1)[{test}]",
)  # fmt: skip
TESTS = ("{mask} == 1", "{mask} != 0", "0 == {mask}", "{mask} == 0.5")


@pytest.mark.parametrize(("use", "test", "mask"), list(product(USES, TESTS, ("mask", "observed"))))
def test_what_is_missing_is_not_taken_for_a_truth(use, test, mask):
    condition = test.format(mask=mask)
    programs = lower(TEXT.format(mask=mask, use=use.format(test=condition))).programs
    assert not [fault for program in programs for op in program.ops for fault in op.faults]


@pytest.mark.parametrize("test", TESTS)
def test_it_decides_branches_as_before(test):
    use = "torch.zeros(2) if {test} else torch.zeros(3)".format(test=test.format(mask="mask"))
    program = next(p for p in lower(TEXT.format(mask="mask", use=use)).programs if p.entry.endswith("forward"))
    usual = {False: 3, True: 2}[eval(test.format(mask="None"))]
    sizes = [op.output.shape for op in program.ops if op.kind == "zeros" and all(c.default is not False for c in op.path)]
    assert sizes == [(usual,)]
    assert not isinstance(sizes[0], Unknown)
