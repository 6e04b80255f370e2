"""Python's own values are what CPython makes of them: each cause of a wrong value in several surroundings.

Every case is some statements that leave numbers, texts, lists or dicts in ``out``. It is run by Python and by the interpreter:
at the top level, in a function, in a method and in one pass of a loop, with the names as they are and with others.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

import pytest

from dllint.ir.values import DictVal, ListVal, SetVal
from dllint.lower.document import lower_document
from dllint.source.document import Document

PREAMBLE = """\
import copy, functools, itertools, math, operator
from collections import Counter, defaultdict, deque
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
"""


def _cases() -> dict[str, str]:
    """The programs of ``python_values.txt`` by their titles."""
    sections = Path(__file__).with_name("python_values.txt").read_text(encoding="utf-8").rstrip("\n").split("\n---\n")
    return {title.removeprefix("# "): body for title, _, body in (section.partition("\n") for section in sections)}


CASES = _cases()
#: Names of the cases and what they are called in half of the runs.
NAMES = {"it": "walker", "box": "thing", "Box": "Thing", "d": "table", "s": "group", "Kind": "Sort", "item": "element"}
SURROUNDINGS = {
    "top level": "{body}\n",
    "function": "def run():\n{inner}\n    return out\nout = run()\n",
    "method": "class Runner:\n    def run(self):\n{deep}\n        return out\nout = Runner().run()\n",
    "loop": "for _ in range(1):\n{inner}\n",
}


def _program(case: str, surroundings: str, renamed: bool) -> str:
    body = CASES[case]
    for old, new in NAMES.items() if renamed else ():
        body = re.sub(rf"(?<![\w'.]){old}(?![\w'])", new, body)
    return PREAMBLE + SURROUNDINGS[surroundings].format(body=body, inner=indent(body, "    "), deep=indent(body, "        "))


def _plain(value: object) -> object:
    """A value of the interpreter as one of Python, as far as it is known."""
    if isinstance(value, ListVal) and value.rest is None:
        return [_plain(item) for item in value.items]
    if isinstance(value, DictVal) and value.rest is None:
        return {key: _plain(item) for key, item in value.items.items()}
    if isinstance(value, SetVal) and value.rest is None:
        return {_plain(item) for item in value.items}
    return value


@pytest.mark.parametrize("renamed", [False, True])
@pytest.mark.parametrize("surroundings", SURROUNDINGS)
@pytest.mark.parametrize("case", CASES)
def test_values_are_those_of_python(case, surroundings, renamed):
    text = _program(case, surroundings, renamed)
    variables = {}
    exec(compile(text, "<program>", "exec"), variables)
    lowered = lower_document(Document.from_text(Path("/values/program.py"), text))
    assert not lowered.failures
    assert _plain(lowered.module.attrs["out"]) == variables["out"]
