"""Expressions and patterns that are nested more deeply than libcst reads in reasonable time.

Its time grows with the square of the depth, and doubles with each bracket of a pattern. What is too deep is taken out before
the text is parsed: a name that nothing defines stands in its place, as long as what it replaces and on as many lines, so that
everything else keeps its place and is looked at.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

#: Expressions inside each other, and brackets of a pattern.
_DEEP_EXPRESSION: Final = 250
_DEEP_PATTERN: Final = 5
#: Operands of one row of ``and`` or ``or`` that count as a level: they are read fast, but each is evaluated inside the next.
_OPERANDS_PER_LEVEL: Final = 12
#: Texts beside each other that count as a level: each holds the next in libcst. A text has so many characters at least.
_TEXTS_PER_LEVEL: Final = 4
_SHORTEST_TEXT: Final = 2
_MANY_TEXTS: Final = _DEEP_EXPRESSION * _TEXTS_PER_LEVEL
#: Steps that are taken into an expression to find the one that makes it deep.
_STEPS: Final = 8
#: Names that nothing defines: a telling one, and one that fits everywhere.
_NAMES: Final = ("too_deep", "ꙮ")
_CASE: Final = re.compile(r"^[ \t\f]*case\b(?=[ \t\f(\[{])", re.MULTILINE)
#: Texts, comments, brackets and ends of lines or patterns.
_TOKEN: Final = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\#[^\n]*|[()\[\]{}:\n]""")
#: A text of a row of them.
_TEXT: Final = re.compile(
    r"""\'\'\'(?:[^\\]|\\.)*?\'\'\'|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\#[^\n]*""", re.DOTALL
)
_BREAK: Final = re.compile(r"[^\r\n]+")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")

#: Start and end of what is taken out, and what stands behind the name in its place.
Part = tuple[int, int, str]


def has_patterns(text: str) -> bool:
    """Whether a text seems to have patterns."""
    return _CASE.search(text) is not None


def shallow(text: str, tree: ast.Module) -> str:
    """A text of the same layout without what is too deep; the text itself, if nothing is. ``tree`` is what it says."""
    patterns = [part for match in _CASE.finditer(text) if (part := _pattern(text, match.end())) is not None]
    inside = [(start, end) for start, end, _ in patterns]
    expressions = [
        (start, end, behind)
        for start, end, behind in _deep_expressions(text, tree)
        if not any(first <= start < last for first, last in inside)
    ]
    return _without(text, [*patterns, *expressions])


def _pattern(text: str, start: int) -> Part | None:
    """The pattern that starts at an offset, with its guard, if it is too deep."""
    depth = deepest = 0
    end = start
    for token in _TOKEN.finditer(text, start):
        found = token[0]
        if found in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif found in ")]}":
            depth -= 1
        elif not depth and found in ":\n":
            end = token.start() if found == ":" else start  # else it was a name
            break
    return (start, end, "()") if deepest > _DEEP_PATTERN and end > start else None


def _deep_expressions(text: str, tree: ast.Module) -> list[Part]:
    """The parts of a text that are expressions nested too deeply, each with what stands for it."""
    places = _Places(text)
    heights = _heights(tree, places)
    if not heights:
        return []
    return [(*places.of(node), "") for node in _outermost(tree, heights)]


def _heights(tree: ast.Module, places: _Places) -> dict[int, int]:
    """How deep the expressions are that are deeper than a few levels, by ``id``; empty if none is too deep."""
    order: list[ast.AST] = [tree]
    for node in order:
        order.extend(ast.iter_child_nodes(node))
    heights: dict[int, int] = {}
    highest = 0
    for node in reversed(order):
        if isinstance(node, (ast.expr, ast.comprehension, ast.keyword, ast.Slice)):
            height = 1 + max((heights.get(id(child), 0) for child in ast.iter_child_nodes(node)), default=0)
            height += _nested_in_libcst(node, places)
            heights[id(node)] = height
            highest = max(highest, height)
    return heights if highest > _DEEP_EXPRESSION else {}


def _nested_in_libcst(node: ast.AST, places: _Places) -> int:
    """The levels of what is a row to the interpreter, and nested in libcst's tree."""
    match node:
        case ast.BoolOp():
            return len(node.values) // _OPERANDS_PER_LEVEL
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return len(node.generators)
        case ast.Constant(value=str() | bytes()) | ast.JoinedStr() if places.may_be_many_texts(node):
            return places.number_of_texts(node) // _TEXTS_PER_LEVEL
    return 0


def _outermost(tree: ast.Module, heights: dict[int, int]) -> Iterator[ast.expr]:
    """The expressions to leave out: of each that is too deep, the part that is a long row of one kind."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.expr) and heights[id(node)] > _DEEP_EXPRESSION:
            yield _row_in(node, heights)
        elif not isinstance(node, ast.pattern):
            todo.extend(ast.iter_child_nodes(node))


def _row_in(node: ast.expr, heights: dict[int, int]) -> ast.expr:
    for _ in range(_STEPS):
        children = [child for child in ast.iter_child_nodes(node) if heights.get(id(child), 0) > _DEEP_EXPRESSION]
        if not children or not isinstance(children[0], ast.expr) or type(children[0]) is type(node):
            break
        if isinstance(node, ast.JoinedStr):  # what is inside has no places of its own
            break
        node = children[0]
    return node


class _Places:
    """Offsets of nodes; the columns of the interpreter count bytes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._numbers_of_texts: dict[tuple[int, int, int | None, int | None], int] = {}
        self._lines = _LINE.findall(text)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def of(self, node: ast.expr) -> tuple[int, int]:
        """Start and end of a node."""
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno or 0, node.end_col_offset or 0)

    def number_of_texts(self, node: ast.expr) -> int:
        """How many literals stand beside each other in the source of a text; counted once for all parts of an f-string, which
        Python 3.11 gives the place of the whole."""
        place = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
        if place not in self._numbers_of_texts:
            self._numbers_of_texts[place] = sum(1 for _ in _TEXT.finditer(self._text, *self.of(node)))
        return self._numbers_of_texts[place]

    def may_be_many_texts(self, node: ast.expr) -> bool:
        """Whether a node has room for so many texts beside each other that they are too deep."""
        first, last = node.lineno, node.end_lineno or node.lineno
        if first == last:
            return (node.end_col_offset or 0) - node.col_offset > _MANY_TEXTS * _SHORTEST_TEXT
        return self._starts[last] - self._starts[first - 1] > _MANY_TEXTS * _SHORTEST_TEXT

    def _offset(self, line: int, column: int) -> int:
        before = self._lines[line - 1].encode("utf-8", "surrogatepass")[:column]
        return self._starts[line - 1] + len(before.decode("utf-8", "surrogatepass"))


def _without(text: str, parts: list[Part]) -> str:
    """A text of the same layout with names in place of some parts."""
    out, at = [], 0
    for start, end, behind in sorted(parts):
        out += [text[at:start], _replaced(text[start:end], behind)]
        at = end
    return "".join((*out, text[at:]))


def _replaced(part: str, behind: str) -> str:
    """A name in brackets, and blanks, on the lines of a part."""
    blank = _BREAK.sub(lambda line: " " * len(line[0]), part)
    inside = [(line.start(), line.end()) for line in _BREAK.finditer(blank[1:-1])]
    for words in (f"{name}{behind}" for name in _NAMES):
        for start, end in inside:
            if end - start >= len(words):
                return f"({blank[1 : 1 + start]}{words}{blank[1 + start + len(words) : -1]})"
    return part
