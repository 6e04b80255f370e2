"""A call that lacks an argument of an own function raises: nothing is said of what would follow. Decorators may fill it in."""

from __future__ import annotations

import itertools

import pytest

from tests.rules.harness import findings

HEAD = """
import functools

import click
import torch


def filling(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, torch.zeros(2, 3))

    return inner

"""
PLAIN = "{decorator}def f(first, second):\n    return {result}\n\n\n"
FUNCTIONS = {
    "a function": PLAIN + "y = f({given})\n",
    "by name only": "{decorator}def f(first, *, second):\n    return {result}\n\n\ny = f({given})\n",
    "a method": "class A:\n    {decorator}    def f(self, second):\n        return {result}\n\n\ny = A().f()\n",
    "in a function": PLAIN + "def g():\n    return f({given})\n\n\ny = g()\n",
}
RESULTS = ("first_of(second), 2, 3", "torch.zeros(5), torch.zeros(6), 7")
#: How the result is used → whether it would be a fault.
USES = ("a, b = y", "a, b, c, d = y", "torch.zeros(3) @ y[0]")
GIVEN = ("", "1")


def _faults(text: str) -> list[str]:
    return [
        found.message
        for found in findings(f"{HEAD}\ndef first_of(x):\n    return torch.zeros(5)\n\n\n{text}")
        if found.code[:3] == "DLT"
    ]


@pytest.mark.parametrize("kind", list(FUNCTIONS))
def test_nothing_follows_of_a_call_that_raises(kind: str) -> None:
    for result, use, given in itertools.product(RESULTS, USES, GIVEN):
        text = FUNCTIONS[kind].format(decorator="", result=result, given=given)
        assert not _faults(f"{text}{use}\n"), (result, use, given)


@pytest.mark.parametrize("decorator", ["@click.command()\n", "@filling\n"])
def test_what_a_decorator_fills_in_is_there(decorator: str) -> None:
    for use in USES:
        text = FUNCTIONS["a function"].format(decorator=decorator, result=RESULTS[1], given="1")
        inside = text.replace("    return", "    torch.zeros(3) @ torch.zeros(4)\n    return")
        assert _faults(f"{inside}{use}\n"), use


@pytest.mark.parametrize(
    "call", ["f(1, torch.zeros(2))", "f(1, second=2)", "f(*[1, 2])", "f(1, **{'second': 2})", "f(second=1, first=2)"]
)
def test_a_complete_call_is_followed(call: str) -> None:
    text = FUNCTIONS["a function"].format(decorator="", result=RESULTS[1], given="").replace("f()", call)
    for use in USES:
        assert len(_faults(f"{text}{use}\n")) == 1, use
