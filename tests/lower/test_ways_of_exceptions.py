"""Each way to raise in each statement that catches exceptions: what is claimed of the variables holds in every run."""

from __future__ import annotations

import textwrap
from typing import Final

import pytest

from benchmarks.control_flow.comparison import check
from tests.sampling import ASKED, thinned

PREAMBLE: Final = """\
import os
from contextlib import contextmanager, suppress


def flag(name):
    return os.environ.get(name) == "1"


class Odd(ValueError):
    pass


class Guard:
    def __init__(self, takes):
        self.takes = takes

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return self.takes


class Watch:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        assert flag("B")


@contextmanager
def watched():
    try:
        yield
    finally:
        assert flag("B")


def refuse(number):
    if number < 5:
        raise Odd("odd")
    return number


n0, n1 = 0, 0
"""
#: Statements that raise, on every path or on some.
RAISING: Final = {
    "surely": "raise ValueError('odd')",
    "perhaps": "if flag('A'): raise ValueError('odd')",
    "one or another": "if flag('A'): raise ValueError('odd')\nraise KeyError('odd')",
    "another or one": "if flag('A'): raise KeyError('odd')\nelse: raise ValueError('odd')",
    "beside one that is taken": (
        "with suppress(KeyError):\n    if flag('A'): raise KeyError('odd')\n    raise ValueError('odd')"
    ),
    "after one that is taken": (
        "with suppress(KeyError):\n    if flag('A'): raise KeyError('odd')\n    n1 += 1\nn0, n1 = (1, 2, 3)"
    ),
    "in a handler": "try:\n    if flag('A'): raise KeyError('odd')\nexcept KeyError:\n    n1 += 1\n    raise ValueError('odd')",
    "unpacking": "if flag('A'):\n    n0, n1 = (1, 2, 3)",
    "assertion": "assert flag('A')",
    "key": "n0 = {'a': 1}['b']",
    "unknown index": "n1 = 5 if flag('A') else 0\nn0 = [1, 2, 4][n1]",
    "unknown key": "n1 = 5 if flag('A') else 0\nn0 = {0: 1, 1: 2}[n1]",
    "perhaps a key": "if flag('A'): n0 = {'a': 1}['b']",
    "in a function": "n1 = refuse(n0)",
    "perhaps in a function": "n1 = refuse(9 if flag('A') else 1)",
}
_AROUND: Final = "try:\n    {frame}\n{{body}}\n        n0 += 1\nexcept {{error}}:\n    n0 += 10"
#: Statements that catch an ``{error}`` of the ``{body}``.
CATCHING: Final = {
    "try": "try:\n{body}\n    n0 += 1\nexcept {error}:\n    n0 += 10",
    "finally": "try:\n    try:\n{body}\n        n0 += 1\n    finally:\n        n1 += 1\nexcept {error}:\n    n0 += 10",
    "finally that raises": (
        "try:\n    try:\n{body}\n        n0 += 1\n    finally:\n        assert flag('B')\n        n1 += 5\n"
        "except AssertionError:\n    n0 += 10\nexcept {error}:\n    n0 += 100"
    ),
    "finally that raises something else": (
        "try:\n    try:\n{body}\n        n0 += 1\n    finally:\n        if flag('B'): raise LookupError\n        n1 += 5\n"
        "except LookupError:\n    n0 += 10"
    ),
    "finally that returns": (
        "def f(n0, n1):\n    try:\n{body}\n        n0 += 1\n    finally:\n        if flag('B'): return 50\n    return n0\n"
        "try:\n    n0 = f(n0, n1)\nexcept {error}:\n    n0 += 10"
    ),
    "finally that returns from what nobody takes": (
        "def f(n0, n1):\n    try:\n{body}\n        n0 += 1\n    finally:\n        if flag('B'): return 50\n    return n0\n"
        "n0 = f(n0, n1)"
    ),
    "finally behind a return": (
        "def f(n0, n1):\n    try:\n{body}\n        return n0 + 1\n    finally:\n        n1 += 1\n"
        "try:\n    n0 = f(n0, n1)\nexcept {error}:\n    n0 += 10"
    ),
    "suppress": "with suppress({error}):\n{body}\n    n0 += 1",
    "suppress in suppress": "with suppress(KeyError):\n    with suppress({error}):\n{body}\n        n0 += 1\n    n1 += 3",
    "try in try": (
        "try:\n    try:\n{body}\n        n0 += 1\n    except KeyError:\n        n0 += 100\nexcept {error}:\n    n0 += 10"
    ),
    "handler that raises again": (
        "try:\n    try:\n{body}\n        n0 += 1\n    except {error}:\n        n0 += 100\n        if flag('B'): raise\n"
        "        n1 += 7\nexcept ValueError:\n    n0 += 10"
    ),
    "two handlers": "try:\n{body}\n    n0 += 1\nexcept KeyError:\n    n0 += 100\nexcept {error}:\n    n0 += 10",
    "else": "try:\n{body}\nexcept {error}:\n    n0 += 10\nelse:\n    n0 += 1\nfinally:\n    n1 += 2",
    "else that raises": "try:\n    try:\n{body}\n    except {error}:\n        n0 += 10\n    else:\n        n0 += 1\n"
    "        raise KeyError('odd')\nexcept KeyError:\n    n1 += 2",
    "loop": (
        "for i in range(3):\n    try:\n{body}\n        n0 += 1\n    except {error}:\n        n0 += 10\n        continue\n"
        "    finally:\n        n1 += 1\n    n0 += 1000"
    ),
    "loop that ends": (
        "while n1 < 3:\n    n1 += 1\n    try:\n{body}\n        if flag('B'): break\n    except {error}:\n        n0 += 10\n"
        "        break\n    finally:\n        n0 += 1"
    ),
    "around a loop": "try:\n    for i in range(3):\n{body}\n        n0 += 1\nexcept {error}:\n    n0 += 10",
    "context that takes all": _AROUND.format(frame="with Guard(True):"),
    "context that may take": _AROUND.format(frame="with Guard(flag('B')):"),
    "context that takes nothing": _AROUND.format(frame="with Guard(False):"),
    "context that raises": _AROUND.format(frame="with Watch():"),
    "generated context that raises": _AROUND.format(frame="with watched():"),
}  # fmt: skip
ERRORS: Final = ("ValueError", "KeyError", "Exception", "AssertionError", "(KeyError, ValueError)", "Odd")


def program(raising: str, frame: str, error: str) -> str:
    body = textwrap.indent(raising, " " * (8 if "\n        n0 += 1" in frame else 4))
    if "    try:\n{body}" in frame or "    for i in range(3):\n{body}" in frame:
        body = textwrap.indent(raising, " " * 8)
    return PREAMBLE + frame.format(body=body, error=error) + "\n"


@pytest.mark.oracle
@pytest.mark.parametrize("frame", CATCHING)
def test_claims_hold_in_every_run(frame: str):
    wrong = {}
    known = 0
    for number, (name, raising) in enumerate(RAISING.items()):
        for error in thinned(ERRORS[number % 3 :: 3], 2, number // 3 + list(CATCHING).index(frame)):
            verdict = check(program(raising, CATCHING[frame], error))
            known += verdict.known_values
            if problems := [*verdict.wrong, *verdict.false_errors, *verdict.crashes]:
                wrong[name, error] = problems
    assert not wrong
    assert known or ASKED.few_cases
