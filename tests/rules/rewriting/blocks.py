"""Statements of a program with their text, and what they bind and take: what rewritings move about."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from textwrap import dedent, indent

INDENT = "    "


@dataclass(frozen=True)
class Statement:
    """A statement with its lines (comments included), without the indentation of its block."""

    node: ast.stmt
    text: str

    @property
    def bound(self) -> frozenset[str]:
        """The names that it binds in its scope."""
        return frozenset(name for name, node in _names(self.node) if not isinstance(node, ast.Load))

    @property
    def taken(self) -> frozenset[str]:
        """The names that it reads, those of its own scopes included; an augmented assignment reads its target."""
        read = {name for name, node in _names(self.node, inner=True) if isinstance(node, ast.Load)}
        changed = {
            node.target.id
            for node in ast.walk(self.node)
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
        }
        return frozenset(read | changed)

    @property
    def ends_its_function(self) -> bool:
        return any(isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) for node in _own(self.node))

    @property
    def leaves_its_loop(self) -> bool:
        """Whether it has a `break` or `continue` of a loop around it."""
        return _leaves(self.node)


def statements(lines: Sequence[str], nodes: Sequence[ast.stmt]) -> list[Statement]:
    """The statements of a block; comments and empty lines before one belong to it."""
    found = []
    for node in nodes:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        found.append(Statement(node, dedent("\n".join(lines[first - 1 : node.end_lineno]))))
    return found


def joined(block: Iterable[Statement], depth: int = 0) -> str:
    return "".join(indent(f"{one.text}\n", INDENT * depth) for one in block)


def bound(block: Iterable[Statement]) -> list[str]:
    """The names that the statements bind, in order."""
    return list(dict.fromkeys(name for one in block for name in sorted(one.bound)))


def taken(block: Iterable[Statement], known: Iterable[str]) -> list[str]:
    """Those of the known names that the statements read, in order."""
    read = {name for one in block for name in one.taken}
    return [name for name in dict.fromkeys(known) if name in read]


def substituted(text: str, new: Callable[[ast.Name | ast.arg], str | None]) -> str:
    """The text with names replaced: `new` gives what stands for one, or None."""
    lines = text.split("\n")
    places = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name | ast.arg) and (word := new(node)) is not None:
            old = node.id if isinstance(node, ast.Name) else node.arg
            places.append((node.lineno - 1, node.col_offset, len(old), word))
    for line, column, length, word in sorted(places, reverse=True):
        lines[line] = lines[line][:column] + word + lines[line][column + length :]
    return "\n".join(lines)


def _own(node: ast.AST) -> Iterable[ast.AST]:
    """A node and what is below it in the same scope."""
    yield node
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
        return
    for child in ast.iter_child_nodes(node):
        yield from _own(child)


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _names(node: ast.AST, inner: bool = False) -> Iterable[tuple[str, ast.expr_context]]:
    if isinstance(node, ast.Name):
        yield node.id, node.ctx
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name, ast.Store()
        if not inner:
            return
    if isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield (alias.asname or alias.name.split(".")[0]), ast.Store()
    for child in ast.iter_child_nodes(node):
        if isinstance(node, _COMPREHENSIONS) and not inner:
            continue
        yield from _names(child, inner)


def _leaves(node: ast.AST, depth: int = 0) -> bool:
    if isinstance(node, ast.Break | ast.Continue):
        return depth == 0
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return False
    deeper = depth + isinstance(node, ast.For | ast.While)
    return any(_leaves(child, deeper) for child in ast.iter_child_nodes(node))
