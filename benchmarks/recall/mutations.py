"""Edits of model code that tend to make shapes wrong: found in a syntax tree, written as (line, column, old, new)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Edit = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Mutation:
    """A fault to seed: ``edits`` are those of the recall labels, ``line`` is where they stand."""

    kind: str
    line: int
    edits: tuple[Edit, ...]


def mutations(text: str) -> list[Mutation]:
    """Every place of a source text where one of the kinds applies."""
    source = _Source(text)
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [found for call in calls for kind in _KINDS for found in kind(source, call)]


class _Source:
    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")

    def text(self, node: ast.expr) -> str | None:
        """The text of an expression that stands on one line of ASCII."""
        line = self.lines[node.lineno - 1]
        one_line = node.lineno == node.end_lineno and line.isascii()
        return line[node.col_offset : node.end_col_offset] if one_line else None

    def replace(self, node: ast.expr, new: str) -> Edit:
        return {"line": node.lineno, "col": node.col_offset, "old": self.text(node), "new": new}


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""


def _sizes(source: _Source, call: ast.Call) -> list[tuple[ast.expr, str]]:
    """The leading positional arguments with their texts."""
    out = []
    for argument in call.args:
        text = source.text(argument)
        if text is None or isinstance(argument, ast.Starred):
            break
        out.append((argument, text))
    return out


_WIDTHS = {"Linear": "linear width doubled", "Conv2d": "conv channels doubled", "BatchNorm2d": "norm width doubled"}


def _doubled(source: _Source, call: ast.Call) -> Iterator[Mutation]:
    sizes = _sizes(source, call)
    kind = _WIDTHS.get(_name(call))
    if kind and sizes:
        argument, text = sizes[0]
        yield Mutation(kind, argument.lineno, (source.replace(argument, f"2 * ({text})" if " " in text else f"2 * {text}"),))


def _swapped(source: _Source, call: ast.Call) -> Iterator[Mutation]:
    sizes = _sizes(source, call)[:2]
    if _name(call) in ("Linear", "Conv2d") and len(sizes) == 2:
        yield from _exchange(source, "arguments swapped", sizes)


def _reshape(source: _Source, call: ast.Call) -> Iterator[Mutation]:
    sizes = _sizes(source, call)
    if isinstance(call.func, ast.Attribute) and call.func.attr in ("reshape", "view") and len(sizes) == len(call.args) > 2:
        yield from _exchange(source, "reshape sizes swapped", sizes[-2:])


def _exchange(source: _Source, kind: str, sizes: list[tuple[ast.expr, str]]) -> Iterator[Mutation]:
    (first, a), (second, b) = sizes
    if a != b:
        yield Mutation(kind, first.lineno, (source.replace(first, b), source.replace(second, a)))


def _axis(source: _Source, call: ast.Call) -> Iterator[Mutation]:
    axis = next((k.value for k in call.keywords if k.arg == "dim"), call.args[1] if len(call.args) == 2 else None)
    if _name(call) == "cat" and axis is not None and (text := source.text(axis)) is not None:
        yield Mutation("concatenation axis changed", axis.lineno, (source.replace(axis, "0" if text != "0" else "1"),))


_REMOVED = {
    "transpose": "transpose removed",
    "permute": "permute removed",
    "unsqueeze": "unsqueeze removed",
    "flatten": "flatten removed",
}


def _removed(source: _Source, call: ast.Call) -> Iterator[Mutation]:
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr not in _REMOVED or source.text(call) is None:
        return
    receiver = source.text(function.value)
    if receiver is None or receiver in ("torch", "self"):
        return
    yield Mutation(_REMOVED[function.attr], call.lineno, (source.replace(call, receiver),))


_KINDS: tuple[Callable[[_Source, ast.Call], Iterator[Mutation]], ...] = (_doubled, _swapped, _reshape, _axis, _removed)
