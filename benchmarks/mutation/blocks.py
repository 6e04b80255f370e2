"""Basic blocks of a module's functions, and a text with a probe in each.

A block is a run of statements that execution enters at the first one: it begins where a list of statements begins and after
every compound statement. Code outside of functions, which runs at import, has none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

#: The name under which an instrumented module has the array of its probes.
PROBES: Final = "__mutation_probes__"
_COMPOUND: Final = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.Try,
    ast.TryStar,
    ast.With,
    ast.AsyncWith,
    ast.Match,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
)
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Block:
    """The statements ``body[start:end]`` of a list of statements inside a function."""

    body: list[ast.stmt]
    start: int
    end: int


def blocks(tree: ast.Module) -> list[Block]:
    """The blocks of all functions, in an order that only depends on the text."""
    return [block for body in _bodies(tree) for block in _parts(body)]


def block_of_statements(tree: ast.Module) -> dict[ast.stmt, int]:
    """The number of the block in which a statement stands; those that run at import are not in it.

    A function outside of functions, which is made at import, counts to its own first block: its decorators are tried by what
    calls it.
    """
    found = {
        statement: number for number, block in enumerate(blocks(tree)) for statement in block.body[block.start : block.end]
    }
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and node not in found:
            found[node] = found[node.body[-1]] if len(node.body) == 1 else found[node.body[_first(node)]]
    return found


def instrumented(tree: ast.Module, offset: int) -> ast.Module:
    """The tree, changed in place: block ``n`` begins with ``PROBES[offset + n] = 1``."""
    numbered = list(enumerate(blocks(tree), offset))
    for number, block in reversed(numbered):
        probe = ast.parse(f"{PROBES}[{number}] = 1").body[0]
        where = block.body[block.start] if block.start < len(block.body) else block.body[-1]
        for node in ast.walk(probe):
            ast.copy_location(node, where)
        block.body.insert(block.start, probe)
    return tree


def _bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """The lists of statements inside functions, each once."""
    seen: set[int] = set()
    for function in ast.walk(tree):
        if isinstance(function, _FUNCTIONS):
            for node in ast.walk(function):
                for body in _lists(node):
                    if id(body) not in seen:
                        seen.add(id(body))
                        yield body


def _lists(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield value


def _first(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return int(ast.get_docstring(function, clean=False) is not None)


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)
    )


def _parts(body: list[ast.stmt]) -> Iterator[Block]:
    """A text at the beginning may be a docstring, which stays the first statement."""
    start = int(_is_text(body[0]) and len(body) > 1)
    for place, statement in enumerate(body):
        if isinstance(statement, _COMPOUND) and place + 1 < len(body):
            yield Block(body, start, place + 1)
            start = place + 1
    yield Block(body, start, len(body))
