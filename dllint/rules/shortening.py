"""Expressions made short enough to be quoted in a sentence.

What is left out is a whole sub-expression, and ``...`` stands in its place: the shortest loss that makes the text fit.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

from dllint.source.expressions import abstract_expression

_HOLE: Final = "..."
#: What line breaks leave behind opening and in front of closing brackets.
_AFTER_BRACKET: Final = re.compile(r"([(\[{]) ")
_BEFORE_BRACKET: Final = re.compile(r",? ([)\]}])")
_MOST_HOLES: Final = 6
_OPERATOR: Final = re.compile(r"\b(?:and|or)\s+")


@dataclass(frozen=True, slots=True, order=True)
class _Hole:
    """A part of a text that may be left out, and what is written in its place. ``lost``: whether the reader misses what names
    the whole (a receiver, a left operand)."""

    start: int
    end: int
    text: str
    lost: bool = False

    def __contains__(self, other: _Hole) -> bool:
        return self.start <= other.start and other.end <= self.end


def shortened(text: str, longest: int) -> str:
    """An expression on one line, at most ``longest`` characters long if leaving out parts of it can make it so. Names stay."""
    flat = " ".join(text.split())
    if "\n" in text:
        flat = _AFTER_BRACKET.sub(r"\1", _BEFORE_BRACKET.sub(r"\1", flat))
    if len(flat) <= longest:
        return flat
    found = _holes(flat)
    if found is None:
        return _cut(flat, longest)
    return _with_holes(flat, longest, [hole for hole in found if len(hole.text) < hole.end - hole.start])


def _with_holes(text: str, longest: int, holes: list[_Hole]) -> str:
    """The text with as many of the holes as it takes, those first that leave the names of the whole."""
    chosen: tuple[_Hole, ...] = ()
    for lost in (False, True):
        left = [hole for hole in holes if hole.lost is lost]
        for _ in range(_MOST_HOLES):
            tried = [_joined(chosen, hole) for hole in left if not any(hole in other for other in chosen)]
            if not tried or len(_filled(text, chosen)) <= longest:
                break
            fitting = [some for some in tried if len(_filled(text, some)) <= longest]
            chosen = max(fitting, key=partial(_length, text)) if fitting else min(tried, key=partial(_length, text))
    return _filled(text, chosen)


def _length(text: str, holes: tuple[_Hole, ...]) -> int:
    return len(_filled(text, holes))


def _joined(chosen: tuple[_Hole, ...], hole: _Hole) -> tuple[_Hole, ...]:
    return (*(other for other in chosen if other not in hole), hole)


def _filled(text: str, holes: tuple[_Hole, ...]) -> str:
    for hole in sorted(holes, reverse=True):
        text = text[: hole.start] + hole.text + text[hole.end :]
    return text


def _cut(text: str, longest: int) -> str:
    """The beginning of what is no expression, to the end of a word."""
    head = text[: longest - len(_HOLE)].rstrip()
    space = head.rfind(" ")
    return f"{head[:space] if space > longest // 2 else head} {_HOLE}"


def _holes(text: str) -> list[_Hole] | None:
    """The parts of an expression that can be left out; ``None`` if the text is none."""
    tree = abstract_expression(text)
    if tree is None:
        return None
    source = _Source(text)
    return [hole for node in ast.walk(tree) if isinstance(node, ast.expr) for hole in _inside(node, source)]


class _Source:
    """Offsets of nodes in a text of one line; the columns of ``ast`` count bytes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._bytes = text.encode()

    def start(self, node: ast.expr | ast.keyword) -> int:
        return len(self._bytes[: node.col_offset].decode())

    def end(self, node: ast.expr | ast.keyword) -> int:
        return len(self._bytes[: node.end_col_offset or 0].decode())

    def operands(self, before: ast.expr, first: ast.expr, last: ast.expr) -> tuple[int, int]:
        """The span of the operands of ``and`` or ``or`` from one on, which follows ``before``, with their parentheses."""
        between = self._text[self.end(before) : self.start(first)]
        operator = _OPERATOR.search(between)
        start, end = self.start(first) if operator is None else self.end(before) + operator.end(), self.end(last)
        inside = self._text[start:end]
        for _ in range(inside.count("(") - inside.count(")")):
            end = self._text.find(")", end) + 1 or end
        return start, end


def _inside(node: ast.expr, source: _Source) -> Iterator[_Hole]:
    """The parts directly below a node that can be left out."""
    if isinstance(node, ast.Call):
        arguments: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        yield from _tails(sorted(arguments, key=source.start), source)
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        yield from _tails(node.elts, source)
    elif isinstance(node, ast.Subscript):
        yield _Hole(source.start(node.slice), source.end(node.slice), _HOLE)
    elif isinstance(node, ast.BinOp):
        yield _Hole(source.start(node.right), source.end(node.right), _HOLE)
        yield _Hole(source.start(node.left), source.end(node.left), _HOLE, lost=True)
    elif isinstance(node, ast.Lambda):
        yield _Hole(source.start(node.body), source.end(node.body), _HOLE)
    elif isinstance(node, ast.Compare):
        yield _Hole(source.start(node.comparators[-1]), source.end(node.comparators[-1]), _HOLE)
    elif isinstance(node, ast.BoolOp):
        for before, value in pairwise(node.values):
            yield _Hole(*source.operands(before, value, node.values[-1]), _HOLE)
    elif isinstance(node, (ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        yield _Hole(source.start(node) + 1, source.end(node) - 1, _HOLE)
    elif isinstance(node, ast.IfExp):
        yield _Hole(source.start(node.orelse), source.end(node.orelse), _HOLE)
    elif isinstance(node, ast.Attribute) and not _is_chain(node.value):
        yield _Hole(source.start(node.value), source.end(node.value), f"({_HOLE})", lost=True)


def _is_chain(node: ast.expr) -> bool:
    """Whether a node is ``a.b.c``."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _tails(parts: Sequence[ast.expr | ast.keyword], source: _Source) -> Iterator[_Hole]:
    """All parts from one on, and each part for itself."""
    for number, part in enumerate(parts):
        yield _Hole(source.start(part), source.end(parts[-1]), _HOLE)
        value = part.value if isinstance(part, ast.keyword) else part
        if number + 1 < len(parts):
            yield _Hole(source.start(value), source.end(value), _HOLE)
