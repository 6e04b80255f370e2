"""Numbers and elements that another method sets, or that are loaded, may be others by the time that a method is run."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.tracing import lower

MODULE = """\
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        {held}

    def build(self):
        pass


class Net(Base):
    def {other}(self, x):
        {change}

    def forward(self):
        return torch.zeros(3, 4).view({read})
"""
#: What a constructor keeps, how it is read, and how it is changed: each makes the sizes 3 and 4 of 1 and 1.
BUFFER = 'self.register_buffer("sizes", torch.tensor([1, 1]))'
PLAIN = "self.sizes = torch.tensor([1, 1])"
TENSORS = ("self.sizes.copy_(x)", "self.sizes[0] = x[0]", "self.sizes = torch.tensor(x.shape)", "self.sizes += x",
           "self.sizes.data.copy_(x)", "self.sizes[:].fill_(x)", "self.sizes, y = x, 2")  # fmt: skip
READS = ("*self.sizes.tolist()", "int(self.sizes[0]), int(self.sizes[1])", "self.sizes[0].item(), self.sizes[1].item()")
NUMBERS = (
    ("self.n = 1", "self.n", ("self.n = len(x)", "self.n += 11", "self.n: int = 12", "self.n, y = x.shape")),
    ("self.n = [1, 1]", "*self.n", ("self.n = list(x)", "self.n[0] = 12")),
    ("self.n = (1, 1)", "*self.n", ("self.n = x.shape",)),
)
CASES = [
    *product((BUFFER, PLAIN), TENSORS, READS),
    *((held, change, read) for held, read, changes in NUMBERS for change in changes),
]


def faults(source: str) -> list[str]:
    """The kinds of what is provably wrong."""
    return [fault.kind for program in lower(source).programs for op in program.ops for fault in op.faults]


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(("held", "change", "read"), CASES)
def test_what_another_method_changes(held, change, read):
    assert not faults(MODULE.format(held=held, other="fit", change=change, read=read))


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(("held", "change", "read"), CASES)
def test_whatever_methods_call_their_object(held, change, read):
    source = MODULE.format(held=held, other="fit", change=change, read=read)
    assert not faults(source.replace("self", "this"))


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(("held", "change", "read"), CASES)
def test_what_no_other_method_changes(held, change, read):
    assert faults(MODULE.format(held=held, other="fit", change="return x", read=read))


@pytest.mark.parametrize("held", ["self.n = 1; self.build()", "self.n = 1; self.first()"])
def test_methods_of_the_constructor_change_nothing_later(held):
    tail = "\n    def first(self):\n        self.build()\n"
    source = MODULE.format(held=held, other="build", change="self.n = 2", read="self.n") + tail
    assert faults(source.replace("def build(self, x)", "def build(self)"))


LOADS = (
    'net.load_state_dict(torch.load("net.pt"))', 'net.load_state_dict(torch.load("net.pt")["model"], strict=False)',
    "for b in net.buffers():\n    b.copy_(torch.rand(2))", "for name, b in net.named_buffers():\n    b.data = torch.rand(2)",
)  # fmt: skip


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(("load", "read", "whole"), list(product(LOADS, READS, (True, False))))
def test_what_is_loaded(load, read, whole):
    source = MODULE.format(held=BUFFER, other="fit", change="return x", read=read)
    made = "net = Net()\n" if whole else "net = nn.Sequential(Net())\n"
    called = "net()\n" if whole else "net[0]()\n"
    assert faults(source + made + called)
    assert not faults(source + made + load + "\n" + called)


@pytest.mark.parametrize("held", [PLAIN, BUFFER.replace("]))", "]), persistent=False)")])
def test_tensors_that_are_not_loaded(held):
    source = MODULE.format(held=held, other="fit", change="return x", read=READS[0])
    assert faults(f"{source}net = Net()\nnet.load_state_dict(torch.load('net.pt'))\nnet()\n")
