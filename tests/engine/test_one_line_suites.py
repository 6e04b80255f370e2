"""Statements behind a colon and between semicolons are statements: faults in them are found at their place, and repaired."""

from __future__ import annotations

import itertools
from textwrap import indent

import pytest

from dllint.source.document import Document
from tests.rules.harness import findings, fixed, place

HEAD = """\
import torch
from torch import nn

fc = nn.Linear(4, 2)
a, b = torch.zeros(2, 4).double(), torch.zeros(3)
"""
#: The faulty statement, the code of its finding, and the text that the finding marks.
FAULTS = (
    ("y = b.view(7)", "DLT105", "b.view(7)"),
    ("y = fc(a)", "DLT117", "fc(a)"),
    ("y = b + torch.zeros(4)", "DLT109", "b + torch.zeros(4)"),
)
SUITES = {
    "if": "if len(b) == 3: {}",
    "else": "if len(b) != 3: y = 1\nelse: {}",
    "elif": "if len(b) == 2: y = 1\nelif len(b) == 3: {}",
    "for": "for i in range(1): {}",
    "for else": "for i in range(1): y = i\nelse: {}",
    "while": "n = 0\nwhile n < 1: n += 1; {}",
    "with": "with torch.no_grad(): {}",
    "try": "try: {}\nfinally: n = 1",
    "finally": "try: n = 1\nfinally: {}",
    "function": "def f(): {}\nf()",
    "class": "class Holder(nn.Module): {}",
    "match": "match len(b):\n    case 3: {}",
    "line": "{}",
}
LINES = ("{}", "n = 1; {}", "{}; n = 2", "n = 1; {}; m = 2;")
FRAMES = {"top": "{}", "function": "def outer():\n{}\n\n\nouter()"}

every = pytest.mark.parametrize(
    ("suite", "line", "frame"),
    [pytest.param(*case, id=" / ".join(case)) for case in itertools.product(SUITES, LINES, FRAMES)],
)


def program(suite: str, line: str, frame: str, statement: str) -> str:
    written = SUITES[suite].format(line.format(statement))
    body = written if frame == "top" else indent(written, "    ")
    return f"{HEAD}\n\n{FRAMES[frame].format(body)}\n"


@every
def test_a_fault_is_told_at_its_place(suite, line, frame):
    for statement, code, marked in FAULTS:
        text = program(suite, line, frame, statement)
        found = [finding for finding in findings(text) if finding.code != "DLS102"]  # nobody reads y in a function
        assert [finding.code for finding in found] == [code], text
        span = found[0].location.span
        assert Document.from_text(found[0].location.path, text).source(span) == marked


@every
def test_a_comment_on_the_line_suppresses_it(suite, line, frame):
    text = program(suite, line, frame, "y = b.view(7)")
    ((number, code),) = map(place, findings(text))
    lines = text.splitlines()
    lines[number - 1] += f"  # dllint: ignore[{code}]"
    assert findings("\n".join(lines) + "\n") == []


@every
def test_a_fix_changes_nothing_else(suite, line, frame):
    text = program(suite, line, frame, "y = fc(a)")
    assert fixed(text) == text.replace("fc(a)", "fc(a.float())")


BRANCHES = """\
from keras import Input, Model
from keras.layers import Conv2D, MaxPooling2D

inp = Input((28, 28, 8))
{}
model = Model(inp, x)
"""


@pytest.mark.parametrize("joined", [" ; ", "; ", ";", "\n"])
def test_a_copied_line_is_found_on_whatever_line_it_stands(joined):
    calls = ("x = Conv2D(8, 3)(inp)", "x = MaxPooling2D()(x)", "x = Conv2D(8, 3)(inp)")
    for cut in range(3):
        lines = [*calls[:cut], joined.join(calls[cut:])] if cut else [joined.join(calls)]
        found = findings(BRANCHES.format("\n".join(lines)))
        assert [finding.code for finding in found] == ["DLS101"]


@pytest.mark.parametrize("body", [" y = self.a(x); return self.b(x)", "\n        y = self.a(x); return self.b(x)"])
def test_an_output_that_is_dropped_is_found_behind_a_colon(body):
    text = f"""\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = nn.Linear(4, 4)

    def forward(self, x):{body}


Net()(torch.zeros(2, 4))
"""
    assert {finding.code for finding in findings(text)} == {"DLS102"}
