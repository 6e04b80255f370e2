"""Numbers that Python itself refuses, or that would make gigabytes, in every place where its built-in types take one."""

from __future__ import annotations

import builtins
import itertools
from pathlib import Path

import pytest

from dllint.lower.document import lower_document
from dllint.source.document import Document
from tests.sampling import thinned

NUMBERS = ("10**100", "-10**100", "2**63", "2**31", "-(2**63) - 1")
RECEIVERS = {
    "str": ('"a b"', '""', '"%*d"', '"{:5}"'),
    "bytes": ('b"a b"', 'b""'),
    "list": ("[1, 2]", "[]"),
    "tuple": ("(1, 2)", "()"),
    "dict": ("{1: 2}", "{}"),
    "set": ("{1, 2}", "set()"),
    "range": ("range(3)", "range(0)"),
    "int": ("3", "0", "-1"),
    "float": ("2.5", "0.0", "float('inf')"),
    "bytearray": ("bytearray(b'a')",),
}
OPERATORS = ("+", "-", "*", "**", "%", "//", "/", "<<", ">>", "&", "|", "@", "<", "==", "in")
#: What would wait for somebody, or end the run.
_LEFT_OUT = {"input", "breakpoint", "exit", "quit", "help", "copyright", "credits", "license", "open", "exec", "eval"}


def _statements(kind: str) -> list[str]:
    out = []
    for receiver, number in itertools.product(RECEIVERS[kind], NUMBERS):
        out += [f"({receiver}) {operator} ({number})" for operator in OPERATORS]
        out += [f"({number}) {operator} ({receiver})" for operator in OPERATORS]
        out += [f"({receiver})[{number}]", f"({receiver})[{number}:]", f"({receiver})[::{number}]"]
        out += [f"({receiver}) * 0 * {number}", f"[*({receiver})] * ({number})"]
        for name in dir(getattr(builtins, kind)):
            if not name.startswith("__"):
                method = f"({receiver}).{name}"
                out += [f"{method}({number})", f"{method}(1, {number})", f"{method}('a', {number})"]
    return out


def _calls_of_builtins() -> list[str]:
    names = [name for name in dir(builtins) if name[0].islower() and name not in _LEFT_OUT]
    shapes = ("{0}({1})", "{0}(3, {1})", "{0}({1}, 3)", "{0}([1, 2], {1})", "{0}('1', {1})", "{0}(range(3), {1}, {1})")
    return [shape.format(name, number) for name in names for number in NUMBERS for shape in shapes]


@pytest.mark.parametrize("kind", [*RECEIVERS, "builtins"])
def test_every_place_that_takes_a_number(kind: str) -> None:
    statements = thinned(_calls_of_builtins() if kind == "builtins" else _statements(kind), 2)
    guarded = "".join(f"try:\n    y = {statement}\nexcept Exception:\n    pass\n" for statement in statements)
    found = lower_document(Document.from_text(Path("numbers.py"), "import torch\n" + guarded))
    assert sorted({str(failure) for failure in found.failures}) == []
