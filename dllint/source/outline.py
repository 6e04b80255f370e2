"""The outline of a module: which lines its top-level statements take and which names they bind.

Made with the interpreter's own parser, which is ten times faster than building a libcst tree, so that of an imported
module only the statements that are asked for need a tree.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

#: Methods through which a module changes what one of its names holds.
_CHANGING = frozenset({"update", "append", "extend"})
_BODIES = ("body", "handlers", "orelse", "finalbody", "cases")


@dataclass(frozen=True, slots=True)
class Entry:
    """The statements that end on line ``end`` (1-based; one, or several joined by semicolons) and the names they bind;
    ``*`` stands for a star import."""

    end: int
    names: tuple[str, ...]


def outline(text: str) -> list[Entry] | None:
    """The top-level statements of a text in order, ``None`` if it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    entries: list[Entry] = []
    for statement in tree.body:
        found = Entry(statement.end_lineno or statement.lineno, tuple(names(statement)))
        if entries and statement.lineno == entries[-1].end:
            found = Entry(found.end, (*entries.pop().names, *found.names))
        entries.append(found)
    return entries


def names(statement: ast.AST) -> Iterator[str]:
    """The names that a statement binds in its own scope, those in its blocks included."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield statement.name
        case ast.Assign():
            for target in statement.targets:
                yield from _targets(target)
        case ast.AnnAssign() | ast.AugAssign():
            yield from _targets(statement.target)
        case ast.Import():
            yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
        case ast.ImportFrom():
            yield from (alias.asname or alias.name for alias in statement.names)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method))) if method in _CHANGING:
            yield name
        case _:
            for field in _BODIES:
                for inner in getattr(statement, field, ()):
                    yield from names(inner)


def _targets(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _targets(element)
    elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        yield target.value.id
