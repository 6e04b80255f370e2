"""A class after an edit inside one of its methods: the method alone is parsed, the rest of the tree stays."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, Final, NamedTuple

import libcst

from dllint.source.chunk import Tree
from dllint.source.lines import common_ends, split_lines
from dllint.source.logical import LogicalLines
from dllint.source.parse import parse
from dllint.source.statement_lines import StatementIndex

#: What the method stands in while it is parsed alone.
_AROUND: Final = "class _:\n"


class Grafted(NamedTuple):
    """The tree of a class in which one method is new, and the lines of this method before and now."""

    tree: Tree
    before: str
    now: str


def grafted(known: Tree, text: str) -> Grafted | None:
    """The tree of a text that differs from that of a known tree, a class, behind the first line of the body of one method and
    before its last; ``None`` if it does not, or if that cannot be told without parsing all of it."""
    found = _method_around(known, text)
    if found is None:
        return None
    cls, number, (first, end), more = found
    lines = split_lines(text)
    now = "".join(lines[first : end + more])
    parsed = parse(_AROUND + now)
    method = _only_method(parsed) if isinstance(parsed, libcst.Module) else None
    if method is None or not isinstance(parsed, libcst.Module) or parsed.default_indent != known.default_indent:
        return None
    old = cls.body.body
    new = cls.with_changes(body=cls.body.with_changes(body=(*old[:number], method, *old[number + 1 :])))
    is_continued = "\\\n" in text
    index = StatementIndex(known.default_indent, is_continued, LogicalLines(text), 0, known.index.places[id(cls)].line)
    index.add(new)
    index.logical = None
    if index.line != known.index.line + more:
        return None
    return Grafted(Tree(text, (new,), known.module, index), "".join(split_lines(known.text)[first:end]), now)


def _method_around(known: Tree, text: str) -> tuple[Any, int, tuple[int, int], int] | None:
    """The class, the number of the method in its body, the lines of the method (the one behind it last), and how many lines the
    text has more."""
    cls: Any = known.statements[0] if len(known.statements) == 1 else None
    if not isinstance(cls, libcst.ClassDef) or not isinstance(cls.body, libcst.IndentedBlock):
        return None
    if any("\r" in part or "\f" in part for part in (known.text, text)) or known.default_newline != "\n":
        return None
    before, now = split_lines(known.text), split_lines(text)
    head, tail = common_ends(before, now)
    changed = len(before) - tail  # the first line behind the change
    places = known.index.places
    number = bisect_right(cls.body.body, head, key=lambda part: places[id(part)].line) - 1
    method: Any = cls.body.body[number] if number >= 0 else None
    if not isinstance(method, libcst.FunctionDef) or not isinstance(method.body, libcst.IndentedBlock):
        return None
    first, last = known.extent(method)
    if places[id(method.body.body[0])].line < head and changed <= last:
        return cls, number, (first, last + 1), len(now) - len(before)
    return None


def _only_method(module: libcst.Module) -> libcst.FunctionDef | None:
    """The method of a class that has nothing else."""
    cls: Any = module.body[0] if len(module.body) == 1 and not module.footer else None
    body = cls.body if isinstance(cls, libcst.ClassDef) else None
    if not isinstance(body, libcst.IndentedBlock) or len(body.body) != 1 or body.footer:
        return None
    return body.body[0] if isinstance(body.body[0], libcst.FunctionDef) else None
