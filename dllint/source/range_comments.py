"""Comments that state ranges: ``# dllint: range x in [0, 1]``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import libcst as cst

from dllint.domains.interval import Interval
from dllint.domains.stated import read_interval
from dllint.source.document import Document
from dllint.source.pragmas import comments

_START: Final = re.compile(r"#\s*dllint:\s*range\b(?P<rest>[^#]*)", re.IGNORECASE)
_ENTRY: Final = re.compile(r"(?P<names>[^\[\]()]*?)\s+in\s*(?P<interval>[\[(][^\[\]()]*[\])])\s*(?:[,;]|$)")
_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_FORM: Final = "write for example `# dllint: range x in [0, 1]`"


@dataclass(frozen=True, slots=True)
class RangeComment:
    """The range that a comment states for some names (``x``, ``self.scale``)."""

    names: tuple[str, ...]
    interval: Interval


def read(comment: str) -> tuple[RangeComment, ...]:
    """What a comment states; nothing if it is about something else.

    Raises:
        ValueError: it is meant to state a range and cannot be read; the message says why.
    """
    start = _START.search(comment)
    return tuple(_entries(start["rest"].strip())) if start is not None else ()


def _entries(text: str) -> Iterator[RangeComment]:
    position = 0
    while position < len(text) or not position:
        match = _ENTRY.match(text, position)
        if match is None:
            raise ValueError(f"`{text[position:]}` states no range; {_FORM}")
        names = tuple(name.strip() for name in match["names"].split(","))
        wrong = next((name for name in names if _NAME.fullmatch(name) is None), None)
        if wrong is not None:
            raise ValueError(f"`{wrong}` is no name; {_FORM}")
        try:
            interval = read_interval(match["interval"])
        except ValueError as error:
            raise ValueError(f"`{match['interval']}` {error}") from error
        yield RangeComment(names, interval)
        position = match.end()


def problems(document: Document) -> Iterator[tuple[int, str]]:
    """Line (1-based) of every comment of a document that is meant to state a range and cannot be read, and why."""
    for line, _, comment in comments(document):
        try:
            read(comment)
        except ValueError as error:
            yield line, str(error)


def comments_of(statement: cst.SimpleStatementLine | cst.BaseCompoundStatement) -> Iterator[str]:
    """The comments that belong to a statement: above it, behind it, and between the parameters of a function; not those of
    the statements in its body."""
    yield from _lines(statement.leading_lines)
    if isinstance(statement, cst.SimpleStatementLine):
        yield from _line(statement.trailing_whitespace)
        return
    if isinstance(statement, cst.FunctionDef):
        yield from _lines(statement.lines_after_decorators)
        yield from _spaces(statement.whitespace_before_params)
        for param in _params(statement.params):
            yield from _spaces(param.whitespace_after_param)
            yield from _spaces(getattr(param.comma, "whitespace_after", None))
    body = getattr(statement, "body", None)
    if isinstance(body, cst.IndentedBlock):
        yield from _line(body.header)


def _params(params: cst.Parameters) -> Iterator[cst.Param]:
    yield from (*params.posonly_params, *params.params)
    if isinstance(params.star_arg, cst.Param):
        yield params.star_arg
    yield from params.kwonly_params
    if params.star_kwarg is not None:
        yield params.star_kwarg


def _spaces(space: Any) -> Iterator[str]:
    if isinstance(space, cst.ParenthesizedWhitespace):
        yield from _line(space.first_line)
        yield from _lines(space.empty_lines)


def _lines(lines: Sequence[cst.EmptyLine]) -> Iterator[str]:
    for line in lines:
        yield from _line(line)


def _line(line: cst.TrailingWhitespace | cst.EmptyLine) -> Iterator[str]:
    if line.comment is not None:
        yield line.comment.value
