"""Operations that autograd functions run: their gradients are written by hand, so that nothing is told of those that autograd
would compute. The same operations elsewhere are told."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

DANGERS = {
    "DLN107": "s = torch.relu(x).sum(1).sqrt()\n    y = torch.sin(s) / s\n    return y.masked_fill(s < 1e-6, 1)",
    "DLO118": "y = torch.exp(x)\n    y.mul_(2)\n    return y",
}
HELPER = """import torch


def helper(x):
    {danger}


"""
STATIC = """class Written(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return {call}

    @staticmethod
    def inside(x):
        return helper(x)

    @staticmethod
    def backward(ctx, grad):
        return grad


def run(x):
    return Written.apply(x)


"""
METHOD = """class Base(torch.autograd.Function):
    def inside(self, x):
        return helper(x)


class Written(Base):
    def __init__(self, scale):
        self.scale = scale

    def forward(self, x):
        return {call}

    def backward(self, grad):
        return grad


def run(x):
    return Written(2)(x)


"""
MODULE = """class Written(torch.nn.Module):
    def forward(self, x):
        return {call}

    def inside(self, x):
        return helper(x)


def run(x):
    return Written()(x)


"""
END = "run(torch.randn(4, 10, requires_grad=True)).sum().backward()\n"
CALLS = {STATIC: ("helper(x)", "Written.inside(x)"), METHOD: ("helper(x)", "self.inside(x)")}


def _codes(form: str, call: str, danger: str) -> set[str]:
    text = HELPER.format(danger=DANGERS[danger]) + form.format(call=call) + END
    return {finding.code for finding in findings(text)}


@pytest.mark.parametrize("danger", DANGERS)
@pytest.mark.parametrize(("form", "call"), [(form, call) for form, calls in CALLS.items() for call in calls])
def test_gradients_written_by_hand(form: str, call: str, danger: str) -> None:
    assert danger not in _codes(form, call, danger)


@pytest.mark.parametrize("danger", DANGERS)
@pytest.mark.parametrize("call", ["helper(x)", "self.inside(x)"])
def test_gradients_of_modules(call: str, danger: str) -> None:
    assert danger in _codes(MODULE, call, danger)


@pytest.mark.parametrize("form", CALLS)
def test_what_follows_an_autograd_function(form: str) -> None:
    """Its code ends with it: what takes its result is recorded."""
    text = HELPER.format(danger=DANGERS["DLN107"]) + form.format(call="x * 2")
    end = "helper(run(torch.randn(4, 10, requires_grad=True))).sum().backward()\n"
    assert "DLN107" in {finding.code for finding in findings(text + end)}
