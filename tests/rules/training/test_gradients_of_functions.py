"""Gradients of autograd functions: their number however `backward` computes them, and inputs that `forward` changes."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

FUNCTION = """import torch


class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values, bound):
        ctx.save_for_backward(values)
        {forward}

    @staticmethod
    def backward(ctx, {gradient}):
        (values,) = ctx.saved_tensors
        {backward}


y = Clip.apply(torch.randn(3, requires_grad=True), 2.0)
"""
NEW = "return values.clamp(-bound, bound)"
ONE = [
    "return {g}",
    "return {g} * 2",
    "out = {g} * 2\n        return out",
    "out = {g}.clone()\n        out[values < 0] = 0\n        return out",
    "out = {g} * 2\n        out = out.masked_fill(values < 0, 0)\n        return out",
    "mask = values > 0\n        return ({g} * mask).sum(0)",
]
OTHERS = [
    "return {g}, None",
    "out = {g} * 2\n        return out, None",
    "out = {g} * 2, None\n        return out",
    "out = helper({g})\n        return out",
    "out = ({g},) + (None,)\n        return out",
    "parts = [{g}, None]\n        return tuple(parts)",
    "out, rest = {g} * 2, None\n        return out, rest",
]


def _codes(forward: str, backward: str, gradient: str) -> list[str]:
    text = FUNCTION.format(forward=forward, backward=backward.format(g=gradient), gradient=gradient)
    return [finding.code for finding in findings(text)]


@pytest.mark.parametrize("gradient", ["grad", "g"])
@pytest.mark.parametrize("backward", ONE)
def test_one_gradient_for_two_inputs(backward: str, gradient: str) -> None:
    assert "DLO131" in _codes(NEW, backward, gradient)


@pytest.mark.parametrize("gradient", ["grad", "*grads"])
@pytest.mark.parametrize("backward", OTHERS)
def test_two_gradients_and_what_is_not_known(backward: str, gradient: str) -> None:
    text = FUNCTION.format(forward=NEW, backward=backward.format(g=gradient.removeprefix("*")), gradient=gradient)
    assert "DLO131" not in [finding.code for finding in findings(text)]


@pytest.mark.parametrize(
    ("forward", "is_told"),
    [
        ("return values.clamp_(-bound, bound)", True),
        ("return values.mul_(bound)", True),
        ("ctx.mark_dirty(values)\n        return values.clamp_(-bound, bound)", False),
        ("values = values.clone()\n        return values.clamp_(-bound, bound)", False),
        ("return values.clone().clamp_(-bound, bound)", False),
    ],
)
def test_inputs_that_are_changed(forward: str, is_told: bool) -> None:
    assert ("DLO131" in _codes(forward, "return {g}, None", "grad")) is is_told
