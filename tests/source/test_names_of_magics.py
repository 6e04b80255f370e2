"""Variables that are called as a magic of IPython is: what is Python stays Python, on as many lines as it takes."""

from __future__ import annotations

from itertools import product
from typing import Final

import pytest

from dllint.source.magics import translated

_NAMES: Final = ("history", "time", "run", "env", "more", "load", "ls")
_OPERATORS: Final = ("=", "+=", "-=", "*=", "/=", "//=", "**=", "%=", "|=", "&=", "^=", "@=", "<<=", ">>=")
#: Python after a variable, on one line or several.
_CONTINUED: Final = (
    "f(1,\n    2)",
    "[\n    1,\n]",
    "1 + \\\n    2",
    '"""\n  text\n"""',
)


@pytest.mark.parametrize("magic", ["", "%%time\n", "%%capture out\n", "%matplotlib inline\n"])
@pytest.mark.parametrize("name", _NAMES)
def test_assignments_to_a_variable_of_that_name_stay(name: str, magic: str):
    for operator, value in product(_OPERATORS, ("1", *_CONTINUED)):
        statement = f"{name} {operator} {value}\nprint({name})\n"
        found = translated(magic + statement)
        assert found is not None
        assert found.code.endswith(statement), statement


@pytest.mark.parametrize("name", _NAMES)
def test_expressions_over_several_lines_stay(name: str):
    for value in (f"({name} + f(1,\n    2))", f"{name} (1,\n    2)", f"{name} [0,\n    1]", f"{name} if a(\n    1) else 2"):
        found = translated(f"%%time\n{value}\n")
        assert found is not None
        assert found.code.endswith(f"{value}\n"), value


@pytest.mark.parametrize(
    "command", ["ls *.py", "cd ..", "run train.py", "history 5", "time f(x)", "more file.txt", "ls", "cat a | b"]
)
def test_commands_do_not(command: str):
    found = translated(f"{command}\nx = 1\n!ls\n")
    assert found is not None
    assert [original for _, original in found.replaced] == ([command] if command != "ls" else []) + ["!ls"]
