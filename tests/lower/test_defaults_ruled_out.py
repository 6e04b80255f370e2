"""In the arm that a default does not select, the name that held the default holds something else."""

from __future__ import annotations

import pytest

from dllint.domains.lattice import Unknown
from tests.lower.tracing import lower

#: Defaults, tests that hold for them, and what shows the value in a tensor's shape.
TESTS = {
    "8": ("{x} == 8", "{x} > 5", "5 < {x}", "{x} in (8, 16)", "isinstance({x}, int)", "float({x}) == 8.0", "not {x} < 3"),
    "True": ("{x}", "{x} is True", "bool({x})", "not (not {x})"),
    "'mean'": ("{x} == 'mean'", "{x} in ('mean', 'sum')", "len({x}) == 4"),
    "(3, 4)": ("len({x}) == 2", "isinstance({x}, tuple)", "{x}[0] == 3"),
}
CASES = [(default, test) for default, tests in TESTS.items() for test in tests]
FUNCTION = """
import torch

def used(x, setting={default}):
    if {test}:
        return torch.tanh(x)
    return torch.full((2,), setting)
"""
METHOD = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, setting={default}):
        super().__init__()
        self.kept = setting

    def forward(self, x):
        if not ({test}):
            return torch.full((2,), self.kept)
        return torch.tanh(x)
"""


@pytest.mark.parametrize(("default", "test"), CASES)
@pytest.mark.parametrize(("text", "name"), [(FUNCTION, "setting"), (METHOD, "self.kept")], ids=["function", "method"])
def test_the_default_is_not_in_the_other_arm(text, name, default, test):
    programs = lower(text.format(default=default, test=test.format(x=name))).programs
    filled = [op.args["fill_value"] for program in programs for op in program.ops if op.kind == "full"]
    assert all(isinstance(value, Unknown) or value != eval(default) for value in filled)
