"""A statement that the analysis fails on costs only itself: it is told once with its line, what it binds is unknown, and
findings before and behind it stay."""

from __future__ import annotations

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.results import FileResult
from dllint.engine.session import Session
from dllint.frameworks.machine import HANDLERS
from dllint.ops.spec import OPS
from tests.rules.harness import PATH

#: Where the statement stands: the text before it, and its margin.
PLACES = {
    "at the top level": ("", ""),
    "in a function": ("def f(x):\n    x.view(7)\n", "    "),
    "in an undecided branch": ("if input():\n    x.view(7)\n", "    "),
    "in both arms": ("if input():\n    pass\nelse:\n    x.view(7)\n", "    "),
    "in a loop": ("for i in range(3):\n    x.view(7)\n", "    "),
    "in a loop of unknown length": ("for i in input():\n    x.view(7)\n", "    "),
    "in a with statement": ("with open('a') as f:\n    x.view(7)\n", "    "),
    "in a handler": ("try:\n    pass\nfinally:\n    x.view(7)\n", "    "),
    "in a method": (
        "class M(torch.nn.Module):\n    def forward(self, x):\n        x = torch.ones(3)\n        x.view(7)\n",
        "        ",
    ),
    "in a class": ("class A(torch.nn.Module):\n    torch.ones(3).view(7)\n", "    "),
}
STATEMENTS = (
    "y = 1 + len(range(torch.cos(x)))",
    "y, z = torch.cos(x), 2",
    "y = [torch.cos(x) for _ in range(2)]",
    "y = 3 if torch.cos(x) else 4",
    "if torch.cos(x): pass",
    "while torch.cos(x): break",
    "for y in torch.cos(x): pass",
    "assert torch.cos(x)",
    "y = (lambda: torch.cos(x))()",
    "x[torch.cos(x)] = 1",
    "y = input() and torch.cos(x)",
    "print(f'{torch.cos(x)}')",
)
ERRORS = (RecursionError, MemoryError, KeyError, NotImplementedError, ZeroDivisionError, UnicodeError, StopIteration)


def checked(text: str) -> FileResult:
    return Session(Configuration(isolated=True)).check_bytes(PATH, text.encode())


@pytest.fixture(params=ERRORS)
def broken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A handler of one function of torch raises."""

    def fail(*_: object) -> object:
        raise request.param("on purpose")

    monkeypatch.setitem(HANDLERS, "torch.cos", fail)


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_others_are_analysed(place: tuple[str, str], statement: str) -> None:
    before, margin = place
    text = f"import torch\nx = torch.ones(3)\n{before}{margin}{statement}\n{margin}x.view(8)\nx.view(9)\n"
    if "def f" in before:
        text = text.replace("x.view(9)", "f(x)\nx.view(9)")
    result = checked(text)
    line = text[: text.index(statement)].count("\n") + 1
    assert [notice.kind for notice in result.notices] == ["internal-error"]
    assert result.notices[0].message.startswith(f"line {line} of {PATH.name} could not be analysed: ")
    found = {finding.location.span.first.line for finding in result.findings if finding.code == "DLT105"}
    expected = {number for number, row in enumerate(text.splitlines(), 1) if ".view(" in row and "def " not in row}
    assert found == expected


@pytest.mark.usefixtures("broken")
def test_what_the_statement_binds_is_unknown() -> None:
    result = checked("import torch\ny = torch.ones(3)\ny = torch.cos(y)\ny.view(7)\nz = torch.ones(3)\nz.view(7)\n")
    assert [finding.location.span.first.line for finding in result.findings] == [6]


@pytest.mark.usefixtures("broken")
def test_a_fault_in_a_loop_is_told_once() -> None:
    result = checked("import torch\nx = torch.ones(3)\nfor i in range(50):\n    torch.cos(x)\nx.view(7)\n")
    assert len(result.notices) == 1
    assert [finding.location.span.first.line for finding in result.findings] == [5]


def test_an_operation_that_raises_costs_its_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        """A meaning of an operation that fails in all ways."""

        def __getattr__(self, name: str) -> object:
            raise NotImplementedError(name)

    monkeypatch.setitem(OPS, "cos", Broken())
    result = checked("import torch\nx = torch.ones(3)\ntorch.cos(x)\nx.view(7)\n")
    assert [notice.kind for notice in result.notices] == ["internal-error"]
    assert [finding.location.span.first.line for finding in result.findings] == [4]
