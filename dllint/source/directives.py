"""Suppression comments as they are written: their words, their codes with places, and what cannot be meant."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.source.document import Document
from dllint.source.pragmas import MARK, comments_with_places

#: The words after ``dllint:``.
SUPPRESSING: Final = ("ignore", "ignore-file")
WORDS: Final = (*SUPPRESSING, "range")
#: Comments about ranges, and the marks in the module that a notebook's cells make.
_ELSEWHERE: Final = ("range", "cell", "line")
#: Words that suppress findings of other tools.
_FOREIGN: Final = (
    "disable",
    "disable-next",
    "disable-line",
    "enable",
    "noqa",
    "nolint",
    "off",
    "skip",
    "skip-file",
    "suppress",
)
_DIRECTIVE: Final = re.compile(
    r"#\s*dllint:\s*(?P<word>[A-Za-z][\w-]*)(?P<open>\s*\[)?(?P<codes>[^\]#]*)?(?P<close>\])?[^#]*", re.IGNORECASE
)
_CODE: Final = re.compile(r"[A-Za-z][\w-]*")
#: ``ignore DLX101``, ``ignore: DLX101``: codes that are in no brackets.
_LOOSE: Final = re.compile(r"\s*[:=(]?\s*(DL[A-Z]\d{1,3})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Code:
    """A code or a rule's name in a comment."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Directive:
    """A comment of ours, or what is meant to be one. ``start`` to ``end`` is its text with what is written behind it;
    ``alone``: nothing else stands on its line. ``fault`` says what cannot be meant, if there is such a thing."""

    word: str
    codes: tuple[Code, ...]
    has_codes: bool
    line: int
    alone: bool
    start: int
    end: int
    fault: str = ""


def directives(document: Document) -> Iterator[Directive]:
    """All comments of a document that begin with our mark, but those about ranges."""
    if MARK not in document.text.lower():
        return
    for line, alone, start, comment in comments_with_places(document):
        for match in _DIRECTIVE.finditer(comment):
            word = match["word"].lower()
            if word not in _ELSEWHERE:
                yield _directive(word, match, line, start, alone=alone)


def _directive(word: str, match: re.Match[str], line: int, offset: int, *, alone: bool) -> Directive:
    has_codes = match["open"] is not None
    codes: tuple[Code, ...] = ()
    if has_codes:
        found = _CODE.finditer(match.string, *match.span("codes"))
        codes = tuple(Code(code[0], offset + code.start(), offset + code.end()) for code in found)
    start, end = offset + match.start(), offset + match.start() + len(match[0].rstrip())
    return Directive(word, codes, has_codes, line, alone, start, end, _fault(word, match, codes, alone=alone))


def _fault(word: str, match: re.Match[str], codes: tuple[Code, ...], *, alone: bool) -> str:
    if word not in SUPPRESSING:
        return "" if word not in _FOREIGN and match["open"] is None else f"`{word}` is no word that dllint knows"
    if match["open"] is not None:
        if match["close"] is None:
            return "`[` is not closed, so that every rule is suppressed"
        if not codes:
            return "no rule is named, so that nothing is suppressed"
    elif (loose := _LOOSE.match(match["codes"] or "")) is not None:
        return f"every rule is suppressed: `{loose[1]}` stands in no brackets"
    return "`ignore-file` has a line of its own, and suppresses nothing here" if word == "ignore-file" and not alone else ""


def removal(document: Document, directive: Directive) -> tuple[int, int]:
    """What to cut out of the text for the comment to be gone: with its line if nothing else is there."""
    text, starts = document.text, document.lines.starts
    line = bisect_right(starts, directive.start)
    begin, end = starts[line - 1], starts[line] if line < len(starts) else len(text)
    if directive.alone and not (text[begin : directive.start] + text[directive.end : end]).strip():
        return begin, end
    before = text[begin : directive.start].rstrip()
    behind = text[directive.end : end].strip()
    # What stands behind is another comment, which keeps its distance.
    return (directive.start, directive.end + text[directive.end :].index(behind[0])) if behind else (
        begin + len(before), directive.end
    )  # fmt: skip
