"""The outline of a module: which lines its top-level statements take and which names they bind.

Made with the interpreter's own parser, which is ten times faster than building a libcst tree, so that of an imported
module only the statements that are asked for need a tree.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

#: Methods through which a module changes what one of its names holds.
_CHANGING = frozenset({"update", "append", "extend"})
_LINE_BREAK = re.compile(r"\r\n?|\n")
_BODIES = ("body", "handlers", "orelse", "finalbody", "cases")


@dataclass(frozen=True, slots=True)
class Entry:
    """The statements that end on line ``end`` (1-based; one, or several joined by semicolons) and the names they bind;
    ``*`` stands for a star import. Of a single class definition without keywords ``bases`` are the dotted names of its
    bases, else it is ``None``. ``reads``: of the names that several entries bind, those that they read when executed."""

    end: int
    names: tuple[str, ...]
    bases: tuple[str, ...] | None = None
    reads: frozenset[str] = frozenset()


def outline(text: str) -> list[Entry] | None:
    """The top-level statements of a text in order, ``None`` if it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    entries: list[Entry] = []
    lines = _LINE_BREAK.split(text) if "\\" in text else ()
    bound = _bound(tree.body)
    again = {name for name, times in Counter(name for found in bound for name in set(found)).items() if times > 1}
    for statement, found in zip(tree.body, bound, strict=True):
        entry = Entry(_last_line(statement, lines), found, bases(statement), _read(statement, again) if again else frozenset())
        if entries and statement.lineno <= entries[-1].end:
            before = entries.pop()
            entry = Entry(entry.end, (*before.names, *entry.names), reads=before.reads | entry.reads)
        entries.append(entry)
    return entries


def _bound(body: Sequence[ast.stmt]) -> list[tuple[str, ...]]:
    """The names that each statement binds, with those whose objects it changes; objects of other modules are left to them."""
    found = [tuple(names(statement)) for statement in body]
    imports = {name for statement, each in zip(body, found, strict=True) if _is_import(statement) for name in each}
    own = {name for each in found for name in each} - imports
    parts = {name: owner for statement in body for name, owner in _parts(statement) if owner in own and owner != name}
    return [
        (*each, *dict.fromkeys(name for name in _touched(statement, parts) if name in own and name not in each))
        for statement, each in zip(body, found, strict=True)
    ]


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Import, ast.ImportFrom))


def _parts(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """The name that a statement gives to an object, and the name of the object it is taken from (a group of a parser)."""
    if isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.Call, ast.Attribute, ast.Subscript, ast.Name)):
        owner = _root(statement.value)
        yield from ((target.id, owner) for target in statement.targets if isinstance(target, ast.Name) and owner)


def _touched(statement: ast.stmt, parts: Mapping[str, str]) -> Iterator[str]:
    """The names whose objects a statement changes, and those that these are part of."""
    for changed in _changed(statement):
        yield from _owners(changed, parts)


def _owners(name: str, parts: Mapping[str, str]) -> Iterator[str]:
    """A name and those that its object is part of."""
    seen: set[str] = set()
    while name and name not in seen:
        yield name
        seen.add(name)
        name = parts.get(name, "")


def _changed(statement: ast.AST) -> Iterator[str]:
    """The names whose objects a statement changes: it sets what they hold, or calls a method for nothing but its effect."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return
        case ast.Assign():
            yield from (_root(target) for target in statement.targets if not isinstance(target, ast.Name))
        case ast.AnnAssign() | ast.AugAssign():
            yield _root(statement.target)
        case ast.Expr(value=ast.Call(func=ast.Attribute() as method)):
            yield _root(method)
        case _:
            for inner in _blocks(statement):
                yield from _changed(inner)


def _root(node: ast.expr) -> str:
    """The name that a chain of attributes, items and calls begins with, else empty."""
    while not isinstance(node, ast.Name):
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func
        else:
            return ""
    return node.id


def _blocks(statement: ast.AST) -> Iterator[ast.AST]:
    for field in _BODIES:
        yield from getattr(statement, field, ())


def _read(statement: ast.stmt, among: Collection[str]) -> frozenset[str]:
    """The names among some that a statement reads when it is executed; bodies of functions are executed later."""
    found: set[str] = set()
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name):
            if node.id in among and isinstance(node.ctx, ast.Load):
                found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            todo += (*node.decorator_list, node.args)
        elif isinstance(node, ast.Lambda):
            todo.append(node.args)
        else:
            todo += ast.iter_child_nodes(node)
    return frozenset(found)


def _last_line(statement: ast.stmt, lines: Sequence[str]) -> int:
    """The line on which a statement ends, with empty ones that a backslash behind it joins to it."""
    end = statement.end_lineno or statement.lineno
    rest = lines[end - 1].encode()[statement.end_col_offset or 0 :] if end <= len(lines) else b""
    while rest.endswith(b"\\") and b"#" not in rest and end < len(lines):
        rest = lines[end].encode()
        end += 1
    return end


def bases(statement: ast.stmt) -> tuple[str, ...] | None:
    """The dotted names of the bases of a class definition that has nothing but these; ``None`` for anything else."""
    if not isinstance(statement, ast.ClassDef) or statement.keywords:
        return None
    found = tuple(map(dotted, statement.bases))
    return found if all(found) else None


def dotted(node: ast.expr) -> str:
    """``a.b.c`` for a name or attribute chain, else empty."""
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return node.id if isinstance(node, ast.Name) else ""


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
            for inner in _blocks(statement):
                yield from names(inner)


def _targets(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _targets(element)
    elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        yield target.value.id
