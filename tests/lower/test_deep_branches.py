"""Undecided branches deep inside each other: both arms count, or it is told that the analysis was cut short."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.results import FileResult
from dllint.engine.session import Session
from dllint.lower.document import lower_document
from dllint.lower.options import Options
from dllint.source.document import Document

NESTING = Options().nesting
FAULT = "torch.ones(3).view(7)"

#: A branch, and whether its second arm does something, so that it costs work.
KINDS = {
    "else": ("if int(input()):\n    {}\nelse:\n    x = torch.ones(4)", True),
    "elif": ("if int(input()):\n    {}\nelif int(input()):\n    x = torch.ones(4)", True),
    "nothing else": ("if int(input()):\n    {}", False),
    "check": ("if int(input()):\n    {}\nelse:\n    raise ValueError", True),
}
#: Where the branches stand.
WHERE = {"top": "{}\n", "function": "def f():\n    {}\n    return x\n", "called": "def f():\n    {}\n    return x\nf()\n"}


def checked(text: str) -> FileResult:
    return Session(Configuration(isolated=True)).check_bytes(Path("/snippet/deep.py"), f"import torch\n{text}".encode())


def nested(kind: str, depth: int) -> str:
    body = "x = torch.ones(3)"
    for _ in range(depth):
        body = KINDS[kind][0].format(body.replace("\n", "\n    "))
    return body


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("depth", [1, NESTING, NESTING + 1, NESTING + 2, 2 * NESTING])
def test_what_is_followed_one_way_is_told(kind, where, depth):
    text = WHERE[where].format(nested(kind, depth).replace("\n", "\n    " if where != "top" else "\n"))
    result = checked(f"x = torch.ones(2)\n{text}{FAULT}\n")
    assert not result.notices
    assert [finding.location.span.first.line for finding in result.findings] == [text.count("\n") + 3]
    assert result.followed is not None
    assert bool(result.followed.cut) is (KINDS[kind][1] and depth > NESTING)


@pytest.mark.parametrize("depth", [1, NESTING, NESTING + 1, 2 * NESTING])
def test_an_arm_that_does_nothing_leaves_what_was_before(depth):
    """However deep: the value behind the branches is one of both."""
    text = f"import torch\nx = torch.ones(7)\n{nested('nothing else', depth)}\nx.abs()\n"
    program, *_ = lower_document(Document.from_text(Path("/snippet/deep.py"), text)).programs
    assert [op.kind for op in program.ops].count("phi") == depth
