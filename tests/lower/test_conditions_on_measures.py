"""A condition on the rank, a size or the element type of what is one of several values leaves those that can fulfil it."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.tracing import lower

HEAD = "import torch\nfrom torch import nn\n\n"
RANKS = ("{x}.dim() == 3", "{x}.ndim == 3", "len({x}.shape) == 3", "{x}.ndimension() == 3", "{x}.dim() > 2",
         "not {x}.dim() == 2", "{x} is not None and {x}.dim() == 3", "{x}.dim() != 2")  # fmt: skip
FUNCTION = """
def mask(hidden, flag, {x}=None):
    if flag:
        {x} = torch.ones(2, 5)
    if {test}:
        return {x}[:, None, :, :]
    return {x}
"""
BOTH = """
def mask(hidden, flag, {x}=None):
    if {x} is None and flag:
        {x} = torch.ones(2, hidden.shape[1])
    if flag:
        if {test}:
            {x} = {x}[:, None, :, :]
        elif {x}.dim() == 2:
            {x} = {x}[:, None, None, :]
    return {x}
"""
METHOD = """
class Stack(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.is_decoder = config.is_decoder
        self.proj = nn.Linear(4, 4)

    def forward(self, hidden, {x}=None):
        if self.is_decoder and {x} is None:
            {x} = torch.ones(hidden.shape[0], hidden.shape[1])
        if self.is_decoder:
            if {test}:
                wide = {x}[:, None, :, :]
        return self.proj(hidden)
"""
CHOSEN = """
def pick(kind):
    {x} = torch.ones(2, 5) if kind == "flat" else [torch.ones(2, 3, 5)]
    if {test}:
        return {x}[:, None, :, :]
    return {x}
"""


def faults(text: str) -> list[str]:
    return [op.kind for program in lower(HEAD + text).programs for op in program.ops if op.faults]


@pytest.mark.parametrize(
    ("form", "test", "x"), list(product((FUNCTION, BOTH, METHOD, CHOSEN), RANKS, ("encoder_mask", "weights")))
)
def test_what_has_another_rank_is_not_there(form, test, x):
    assert faults(form.format(x=x, test=test.format(x=x))) == []


@pytest.mark.parametrize(("form", "x"), list(product((FUNCTION, METHOD), ("encoder_mask", "weights"))))
@pytest.mark.parametrize("test", ["{x}.dim() == 2", "{x}.ndim < 3", "len({x}.shape) != 3", "{x} is not None"])
def test_what_has_the_rank_is_checked(form, test, x):
    assert faults(form.format(x=x, test=test.format(x=x))) == ["getitem"]


SIZES = """
def project(flag, x=None):
    if flag:
        x = torch.ones(2, 5)
    if {test}:
        return nn.functional.linear(x, torch.ones(4, 7))
    return x
"""


@pytest.mark.parametrize("test", ["x.shape[1] == 7", "x.size(-1) == 7", "x.shape[-1] > 5", "x.size(1) != 5", "len(x) == 3"])
def test_what_has_another_size_is_not_there(test):
    assert faults(SIZES.format(test=test)) == []


@pytest.mark.parametrize("test", ["x.shape[1] == 5", "x.size(-1) < 6", "len(x) == 2", "x.dtype == torch.float32"])
def test_what_has_the_size_is_checked(test):
    assert faults(SIZES.format(test=test)) == ["linear"]
