"""The names that a piece of source mentions, without executing it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields
from functools import cache
from typing import Any, cast

import libcst as cst

_NO_CODE = (
    cst.BaseParenthesizableWhitespace,
    cst.TrailingWhitespace,
    cst.EmptyLine,
    cst.Comment,
    cst.Newline,
    cst.Comma,
    cst.AssignEqual,
)


@cache
def _fields(kind: Hashable) -> tuple[str, ...]:
    return tuple(
        f.name
        for f in fields(cast("type[cst.CSTNode]", kind))
        if not f.name.startswith(("whitespace", "lines", "leading", "lpar", "rpar", "semicolon"))
    )


def mentioned(node: Any) -> set[str]:
    """All names in a node, those of attributes and keywords left out."""
    return _found(node, cst.Name, lambda name: str(name.value))


def methods_called(node: Any) -> set[str]:
    """The names of all methods (and functions of modules) that are called in a node."""
    return _found(node, cst.Call, lambda call: call.func.attr.value if isinstance(call.func, cst.Attribute) else "")


def _found(node: Any, wanted: type[cst.CSTNode], name_of: Callable[[Any], str]) -> set[str]:
    out: set[str] = set()
    todo = [node]
    while todo:
        current = todo.pop()
        kind = type(current)
        if kind is wanted:
            out.add(name_of(current))
        if kind is cst.Attribute:
            todo.append(current.value)
        elif kind is tuple or kind is list:
            todo.extend(current)
        elif isinstance(current, cst.CSTNode) and not isinstance(current, _NO_CODE):
            todo.extend(getattr(current, name) for name in _fields(cast(Hashable, kind)))
    return out
