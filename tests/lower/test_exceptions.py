"""Errors caught on purpose go to the handler that takes them; what nobody expects is told."""

from __future__ import annotations

import itertools
import textwrap

import pytest

from dllint.ir.program import TensorVal
from tests.lower.tracing import lower
from tests.rules.harness import findings

#: Statements that surely raise, and the exception that torch or Python raises (seen by running them).
RAISING = {
    "y = x.view(7, -1)": "RuntimeError",
    "y = torch.ones(3) + torch.ones(4)": "RuntimeError",
    "y = x @ x @ torch.ones(2, 2)": "RuntimeError",
    "y = x.sum(3)": "IndexError",
    "y = {'a': x}['b']": "KeyError",
    "y = [x][1]": "IndexError",
    "y = x.reshape(int('many'), -1)": "ValueError",
    "a, b = x.shape; y = x": "ValueError",
    "assert x.dim() == 2; y = x.view(7, 7)": "AssertionError",
    "y = x / 1 if x.dim() // 0 else x": "ZeroDivisionError",
    "raise NotImplementedError('later')": "NotImplementedError",
    "y = refuse(x)": "TypeError",
}
#: What a statement may stand in, each with ``{body}`` and ``{error}``; afterwards ``y`` has shape (2, 4).
CATCHING = {
    "try": "try:\n    {body}\nexcept {error}:\n    y = x.reshape(2, 4)",
    "tuple": "try:\n    {body}\nexcept (OSError, {error}) as problem:\n    y = x.reshape(2, 4)",
    "second handler": "try:\n    {body}\nexcept ImportError:\n    y = None\nexcept {error}:\n    y = x.reshape(2, 4)",
    "everything": "try:\n    {body}\nexcept Exception:\n    y = x.reshape(2, 4)",
    "bare": "try:\n    {body}\nexcept:\n    y = x.reshape(2, 4)",
    "else and finally": (
        "try:\n    {body}\nexcept {error}:\n    y = x\nelse:\n    y = None\nfinally:\n    y = x.reshape(2, 4)"
    ),
    "outer": "try:\n    try:\n        {body}\n    except EOFError:\n        y = None\nexcept {error}:\n    y = x.reshape(2, 4)",
    "suppress": "y = x.reshape(2, 4)\nz = y\nwith suppress({error}):\n    {body}\ny = z",
    "raises": "y = x.reshape(2, 4)\nz = y\nwith pytest.raises({error}):\n    {body}\ny = z",
    "in a loop": (
        "for i in range(3):\n    try:\n        {body}\n    except {error}:\n        y = x.reshape(2, 4)\n        continue"
    ),
    "in a function": (
        "def attempt(x):\n    {body}\n    return y\ntry:\n    y = attempt(x)\nexcept {error}:\n    y = x.reshape(2, 4)"
    ),
    "in a method": (
        "class Worker:\n    def run(self, x):\n        for _ in range(2):\n            {body}\n        return y\n"
        "try:\n    y = Worker().run(x)\nexcept {error}:\n    y = x.reshape(2, 4)"
    ),
}
PREAMBLE = """\
from contextlib import suppress
import pytest
import torch


def refuse(x):
    if x.dim() == 1:
        raise TypeError("one axis")
    return x


x = torch.zeros(8)
"""


def program(statement: str, error: str, frame: str) -> str:
    text = frame.format(body="@", error=error)
    lines = [line.replace("@", part) for line in text.splitlines() for part in (statement.split("; ") if "@" in line else [""])]
    return PREAMBLE + "\n".join(lines) + "\n"


@pytest.mark.parametrize(("statement", "frame"), list(itertools.product(RAISING, CATCHING)))
def test_the_handler_is_executed(statement: str, frame: str):
    text = program(statement, RAISING[statement], CATCHING[frame])
    value = lower(text).module.attrs["y"]
    assert isinstance(value, TensorVal)
    assert value.shape == (2, 4)
    assert findings(text) == []


@pytest.mark.oracle
@pytest.mark.parametrize(("statement", "frame"), list(itertools.product(RAISING, CATCHING)))
def test_so_does_python(statement: str, frame: str):
    variables: dict = {}
    exec(program(statement, RAISING[statement], CATCHING[frame]), variables)
    assert tuple(variables["y"].shape) == (2, 4)


#: Handlers that do not expect the error of an operation: it is told, and execution goes on in the body.
NOT_EXPECTED = {
    "another error": "except KeyError:\n    y = x",
    "passed on": "except RuntimeError:\n    raise",
    "wrapped": "except RuntimeError as error:\n    raise SystemExit(1) from error",
    "traceback": "except Exception:\n    traceback.print_exc()",
    "end": "except Exception as error:\n    print(error)\n    sys.exit(1)",
}


@pytest.mark.parametrize("handler", NOT_EXPECTED.values(), ids=NOT_EXPECTED)
def test_an_error_that_nobody_expects_is_told(handler: str):
    text = f"import sys, traceback, torch\nx = torch.zeros(8)\ntry:\n    y = x.view(7, -1)\n{handler}\n"
    assert [f.code for f in findings(text)] == ["DLT105"]


def test_a_program_that_prints_its_errors_is_told_of_them():
    text = """
        import torch
        def main():
            x = torch.zeros(8)
            return x.view(7, -1)
        try:
            for epoch in range(3):
                main()
            print("done")
        except Exception as error:
            print("failed", error)
    """
    assert [f.code for f in findings(textwrap.dedent(text))] == ["DLT105"]


def test_handlers_of_undecided_errors_are_alternatives():
    text = """
        import torch
        def load(flag, x):
            try:
                if flag:
                    raise ValueError("no")
                y = x.view(2, 4)
            except ValueError:
                y = x.view(4, 2)
            return y
        y = load(undefined_flag, torch.zeros(8))
    """
    value = lower(text).module.attrs["y"]
    assert isinstance(value, TensorVal)
    assert len(value.shape) == 2
    assert not any(isinstance(size, int) for size in value.shape)
