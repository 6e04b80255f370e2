"""The syntax trees of the repository's modules, parsed and walked once for all tests that read them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All that ``ast.walk`` gives."""
    return tuple(ast.walk(tree))


def forget() -> None:
    """Millions of nodes would be looked at by every later collection of garbage."""
    for known in (text_of, tree_of, nodes_of):
        known.cache_clear()
