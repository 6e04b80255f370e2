"""Where in a line the call stands that an operator comes from; stacks of exporters give the line only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

#: What operators between values are called in graphs.
_BETWEEN: Final[dict[type[ast.operator], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.MatMult: "matmul",
    ast.Pow: "pow",
}
#: Larger files are not parsed.
_MOST: Final = 2_000_000


def column_of(path: Path, line: int, kind: str, module: str) -> int | None:
    """The column (from 1) of the call of an operator, or of the module that performs it; None if it is not certain."""
    names = {kind.strip("_"), *module.split(".")} - {""}
    found = {column for begin, end, name, column in _expressions(path) if begin <= line <= end and name in names}
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=64)
def _expressions(path: Path) -> tuple[tuple[int, int, str, int], ...]:
    """First and last line, name and column of every call and operator between values in a file."""
    try:
        text = path.read_bytes()
        tree = ast.parse(text) if len(text) <= _MOST else None
    except (OSError, ValueError, SyntaxError, RecursionError):
        return ()
    return tuple(_named(tree, text.splitlines())) if tree is not None else ()


def _named(tree: ast.Module, lines: list[bytes]) -> Iterator[tuple[int, int, str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and type(node.op) in _BETWEEN:
            yield (
                node.lineno,
                node.end_lineno or node.lineno,
                _BETWEEN[type(node.op)],
                _column(lines, node.lineno, node.col_offset),
            )
        elif isinstance(node, ast.Call):
            yield from _call(node.func, node.lineno, lines)


def _call(function: ast.expr, line: int, lines: list[bytes]) -> Iterator[tuple[int, int, str, int]]:
    """Of ``self.conv(x)`` the beginning, of ``(a + b).relu()`` the name of the method; of ``rows[0](x)`` that of the row."""
    end = function.end_lineno or line
    receiver = function
    while isinstance(receiver, ast.Attribute | ast.Subscript):
        receiver = receiver.value
    plain = isinstance(receiver, ast.Name)
    inner = function
    while isinstance(inner, ast.Subscript):
        inner = inner.value
    if isinstance(inner, ast.Name):
        yield function.lineno, end, inner.id, _column(lines, function.lineno, function.col_offset)
    elif isinstance(inner, ast.Attribute):
        own = (inner.end_col_offset or 0) - len(inner.attr.encode())
        first, offset = (function.lineno, function.col_offset) if plain else (inner.end_lineno or line, own)
        yield first, end, inner.attr, _column(lines, first, offset)


def _column(lines: list[bytes], line: int, offset: int) -> int:
    """Offsets of syntax trees count bytes, columns count characters."""
    return len(lines[line - 1][:offset].decode("utf-8", errors="replace")) + 1
