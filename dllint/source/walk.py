"""Walking a syntax tree without libcst's visitors: forty times faster, and only the code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

import libcst as cst

N = TypeVar("N", bound=cst.CSTNode)

#: Starts of the names of fields that hold no code (``__slots__`` is listed among the fields, too).
_SPACING = (
    "__", "whitespace", "leading_lines", "lines_after", "lpar", "rpar", "comma", "semicolon", "footer", "header", "lbracket",
    "rbracket", "lbrace", "rbrace", "equal", "trailing", "empty_lines", "indent", "asynchronous",
)  # fmt: skip


class _Getters(dict[type, Callable[[Any], tuple[Any, ...]]]):
    """By node class: a function to the values of the fields that hold code."""

    def __missing__(self, cls: type) -> Callable[[Any], tuple[Any, ...]]:
        fields = cls.__dataclass_fields__ if issubclass(cls, cst.CSTNode) else {}
        names = [n for n, field in fields.items() if not n.startswith(_SPACING) and field.type is not str]
        get = attrgetter(*names) if names else _nothing
        self[cls] = getter = (lambda node: (get(node),)) if len(names) == 1 else get
        return getter


def _nothing(node: cst.CSTNode) -> tuple[Any, ...]:
    return ()


class _Subclasses(dict[type, bool]):
    """Whether a class is one of some kind. Asking a class once is far cheaper than asking each node with ``isinstance``:
    libcst's classes are abstract base classes."""

    def __init__(self, *kinds: type) -> None:
        super().__init__()
        self.kinds = kinds

    def __missing__(self, cls: type) -> bool:
        self[cls] = found = issubclass(cls, self.kinds)
        return found


_GETTERS = _Getters()
_IS_NODE = _Subclasses(cst.CSTNode)
_LINES = (cst.SimpleStatementLine, cst.SimpleStatementSuite)
_IS_STATEMENT = _Subclasses(cst.SimpleStatementLine, cst.BaseCompoundStatement)


def is_statement(node: cst.CSTNode) -> bool:
    """Whether a node is a statement line or a compound statement."""
    return _IS_STATEMENT[node.__class__]


def small_statements(statement: cst.CSTNode) -> Sequence[cst.BaseSmallStatement]:
    """The statements that stand on a line or in a suite behind a colon, which semicolons part; none of a compound statement."""
    return statement.body if statement.__class__ in _LINES else ()


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The direct children of a node that are code, in source order."""
    found: list[cst.CSTNode] = []
    fields = _GETTERS[node.__class__]
    if fields is _nothing:
        return found
    for value in fields(node):
        cls = value.__class__
        if cls is tuple or cls is list:
            found += value  # libcst's sequences hold nodes only
        elif _IS_NODE[cls]:
            found.append(value)
    return found


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all code below it, in source order."""
    todo: list[Any] = [node]
    while todo:
        current = todo.pop()
        yield current
        below = children(current)
        below.reverse()
        todo += below


@cache
def _kind(*kinds: type) -> _Subclasses:
    return _Subclasses(*kinds)


def walk_for(node: cst.CSTNode, *kinds: type[N]) -> Iterator[N]:
    """The parts of a node, itself included, that are of one of some kinds, in source order."""
    is_wanted: Any = _kind(*kinds)
    part: Any
    for part in walk(node):
        if is_wanted[part.__class__]:
            yield part


def walk_placed(statement: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, Any]]:
    """All code of a statement, each node with the innermost statement it stands in (which places are measured from)."""
    place: Any = statement
    todo: list[Any] = [statement]
    while todo:
        node = todo.pop()
        if node.__class__ is tuple:  # the end of a statement: back to the one around it
            (place,) = node
            continue
        if _IS_STATEMENT[node.__class__]:
            todo.append((place,))
            place = node
        yield node, place
        below = children(node)
        below.reverse()
        todo += below


def dotted(node: cst.CSTNode) -> str | None:
    """``a.b.c`` for a name or attribute chain, else ``None``."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if not isinstance(node, cst.Name):
        return None
    return ".".join([node.value, *reversed(parts)])
