"""Source text in a page: excerpts with marks, and changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from dllint.page.markup import Markup, element

_AROUND: Final = 3
_MOST_LINES: Final = 24


@dataclass(frozen=True, slots=True)
class Marked:
    """A range of 1-based lines and columns, the end excluded; without ``end_column`` the whole line."""

    line: int
    column: int = 1
    end_line: int | None = None
    end_column: int | None = None


def excerpt(lines: Sequence[str], marked: Marked, around: int = _AROUND) -> Markup:
    """The lines around a mark, numbered, the mark highlighted."""
    last = min(marked.end_line or marked.line, marked.line + _MOST_LINES)
    shown = range(max(marked.line - around, 1), min(last + around, len(lines)) + 1)
    return element("pre", *(_line(number, lines[number - 1], marked) for number in shown), class_="source")


def _line(number: int, text: str, marked: Marked) -> Markup:
    last = marked.end_line or marked.line
    if not marked.line <= number <= last:
        return element("span", element("i", str(number)), text or " ", class_="line")
    is_start = number == marked.line and marked.end_column is not None
    begin = marked.column - 1 if is_start else len(text) - len(text.lstrip())
    end = marked.end_column - 1 if marked.end_column is not None and number == last else len(text)
    parts = text[:begin], element("mark", text[begin:end] or " "), text[end:]
    return element("span", element("i", str(number)), *parts, class_="line here")


def difference(before: Sequence[str], after: Sequence[str], around: int = 1) -> Markup:
    """The changed lines with their neighbours, as removed and added ones."""
    groups = SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(around)
    return element("pre", *(line for group in groups for line in _group(group, before, after)), class_="source diff")


def _group(group: Sequence[tuple[str, int, int, int, int]], before: Sequence[str], after: Sequence[str]) -> Iterator[Markup]:
    for kind, a, b, c, d in group:
        if kind == "equal":
            for number in range(a, b):
                yield _changed(str(number + 1), " ", before[number], "line")
            continue
        for number in range(a, b):
            yield _changed(str(number + 1), "-", before[number], "line removed")
        for number in range(c, d):
            yield _changed("", "+", after[number], "line added")


def _changed(number: str, sign: str, text: str, class_: str) -> Markup:
    return element("span", element("i", number), f"{sign} {text}", class_=class_)
