"""A class after an edit inside one of its methods: the method alone is parsed, the rest of the tree stays."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
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
    not behind its end; ``None`` if it does not, or if that cannot be told without parsing all of it."""
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
    index = _index(known, (old[number], method), (first, end), now)
    if index.line != end + more:
        return None
    index.line, index.continued = known.index.line + more, "\\\n" in text
    index.places[id(new)] = index.places.pop(id(cls))
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
    for around in range(max(number, 0), max(number - 2, -1), -1):  # what is typed below a method may belong to it
        method: Any = cls.body.body[around]
        if not isinstance(method, libcst.FunctionDef) or not isinstance(method.body, libcst.IndentedBlock):
            continue
        first, last = known.extent(method)
        if places[id(method.body.body[0])].line < head and changed <= last + 1:
            return cls, around, (first, last + 1), len(now) - len(before)
    return None


def _index(known: Tree, methods: tuple[Any, Any], lines: tuple[int, int], text: str) -> StatementIndex:
    """The places of the parts of a class in which one of two methods, that on some lines, has given way to the other, which has
    this text. What stands before it is where it was, what stands behind is moved."""
    (first, end), (before, now) = lines, methods
    index = StatementIndex(known.default_indent, "\\\n" in text, LogicalLines(text), -first, first)
    index.add(now, known.index.places[id(before)].indents)
    more = index.line - end
    for key, place in known.index.places.items():
        if place.line < first:
            index.places[key] = place
        elif place.line >= end:
            index.places[key] = replace(place, line=place.line + more)
    index.suites.update((key, part) for key, part in known.index.suites.items() if key in index.places)
    index.base, index.logical = 0, None
    return index


def _only_method(module: libcst.Module) -> libcst.FunctionDef | None:
    """The method of a class that has nothing else."""
    cls: Any = module.body[0] if len(module.body) == 1 and not module.footer else None
    body = cls.body if isinstance(cls, libcst.ClassDef) else None
    if not isinstance(body, libcst.IndentedBlock) or len(body.body) != 1 or body.footer:
        return None
    return body.body[0] if isinstance(body.body[0], libcst.FunctionDef) else None
