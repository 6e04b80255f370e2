"""Arithmetic of what only some branches have made a tensor is that of the number and of the tensor."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.ir.program import Program, TensorVal
from tests.lower.tracing import lower
from tests.rules.harness import findings

#: How a name comes to hold a number or a tensor without axes.
CHOICES = (
    "extra = {start}\n    if mask.any():\n        extra = extra + x.mean()",
    "extra = {start}\n    if flag:\n        extra += x.pow(2).sum()",
    "extra = x.std() if flag else {start}",
    "extra = {start}\n    try:\n        extra = x.mean()\n    except ValueError:\n        pass",
)
STARTS = ("0", "0.0", "float(count)")
USES = ("y + extra", "extra + y", "y - 2 * extra", "(extra / 3) * y", "y * (1 - extra)", "y + (extra + extra)")


def program(body: str) -> Program:
    source = f"import torch\n\ndef f(flag, count):\n    x = torch.randn(3, 4)\n    mask = x > 0\n    {body}\n"
    (found,) = [p for p in lower(source).programs if p.entry == "f"]
    return found


@pytest.mark.parametrize(("choice", "start", "use"), list(product(CHOICES, STARTS, USES)))
def test_the_shape_is_known_whichever_it_is(choice: str, start: str, use: str) -> None:
    found = program(f"{choice.format(start=start)}\n    y = torch.zeros(5, 2)\n    return {use}")
    assert not any(op.faults for op in found.ops)
    assert isinstance(found.results, TensorVal)
    assert found.results.shape == (5, 2)


@pytest.mark.parametrize("choice", CHOICES)
def test_in_place(choice: str) -> None:
    found = program(f"{choice.format(start='0.0')}\n    y = torch.zeros(5, 2)\n    y += extra\n    return y")
    assert isinstance(found.results, TensorVal)
    assert found.results.shape == (5, 2)


@pytest.mark.parametrize(
    "body",
    [
        # Each arm fits with its own other operand.
        "y, extra = (torch.zeros(3, 4), 0.0) if flag else (2.0, torch.zeros(5))",
        "if flag:\n        y, extra = torch.zeros(3, 4), 0.0\n    else:\n        y, extra = 2.0, torch.zeros(5)",
        "extra = 0.0\n    if flag:\n        extra = torch.zeros(5)\n    y = torch.zeros(5) if flag else torch.zeros(3, 4)",
        "y, extra = torch.zeros(3, 4), None\n    if flag:\n        extra = torch.zeros(5)",
        "y, extra = 2, 'a'\n    if flag:\n        extra = torch.zeros(5)",
    ],
)
def test_what_one_arm_alone_does_is_no_fault(body: str) -> None:
    assert not findings(f"import torch\n\ndef f(flag):\n    {body}\n    return y + extra\n")


@pytest.mark.parametrize("start", STARTS)
def test_what_is_wrong_with_each_is_told(start: str) -> None:
    body = f"extra = {start}\n    if flag:\n        extra = x.mean()\n    return torch.zeros(5, 2) * extra + torch.zeros(3)"
    (found,) = findings(f"import torch\n\ndef f(flag, count):\n    x = torch.randn(3, 4)\n    {body}\n")
    assert found.code == "DLT109"


@pytest.mark.parametrize("number", ["float(count)", "x.argmax().item()", "random.random()", "x.sum().item()"])
@pytest.mark.parametrize("first", [True, False])
def test_a_number_that_is_a_tensor_in_another_branch_is_no_number(number: str, first: bool) -> None:
    one, other = (number, "torch.zeros(7, 1)") if first else ("torch.zeros(7, 1)", number)
    found = program(f"import random\n    y = {one} if flag else {other}\n    return torch.zeros(2) * y")
    assert not any(op.faults for op in found.ops)
    assert not isinstance(found.results, TensorVal) or found.results.shape != (2,)
