"""Walking a syntax tree without libcst's visitors, for facts that are read off the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

_FIELDS: dict[type, tuple[str, ...]] = {}
_SPACING = (
    "whitespace", "leading_lines", "lines_after", "lpar", "rpar", "comma", "semicolon", "footer", "header", "lbracket",
    "rbracket", "lbrace", "rbrace", "equal", "trailing", "empty_lines", "indent", "asynchronous",
)  # fmt: skip


def _fields(cls: type) -> tuple[str, ...]:
    known = _FIELDS.get(cls)
    if known is None:
        names = getattr(cls, "__dataclass_fields__", {})
        known = _FIELDS[cls] = tuple(n for n in names if not n.startswith(_SPACING))
    return known


def children(node: Any) -> Iterator[cst.CSTNode]:
    """The direct children of a node that are code, in source order."""
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            yield value
        elif isinstance(value, list | tuple):
            for part in value:
                if isinstance(part, cst.CSTNode):
                    yield part


def walk(node: Any) -> Iterator[cst.CSTNode]:
    """A node and all code below it, in source order."""
    todo: list[Any] = [node]
    while todo:
        current = todo.pop()
        yield current
        todo.extend(reversed(list(children(current))))


def walk_placed(statement: Any) -> Iterator[tuple[cst.CSTNode, Any]]:
    """All code of a statement, each node with the innermost statement it stands in (which places are measured from)."""
    todo: list[tuple[Any, Any]] = [(statement, statement)]
    while todo:
        node, place = todo.pop()
        if isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            place = node
        yield node, place
        todo.extend((child, place) for child in reversed(list(children(node))))


def dotted(node: Any) -> str | None:
    """``a.b.c`` for a name or attribute chain, else ``None``."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if not isinstance(node, cst.Name):
        return None
    return ".".join([node.value, *reversed(parts)])
