"""Suppression comments: ``# dllint: ignore[CODE]``, ``# dllint: ignore-file``, ``# noqa: CODE``."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from dllint.source.document import Document
from dllint.source.strings_and_comments import STRING_OR_COMMENT

#: What a text must hold for one of its comments to be ours.
MARK = "dllint:"
_PRAGMA = re.compile(r"#\s*dllint:\s*ignore(?P<file>-file)?\b(?:\s*\[(?P<codes>[^\]#]*)\])?", re.IGNORECASE)
_NOQA = re.compile(r"#\s*noqa\b(?:\s*:\s*(?P<codes>[A-Za-z][\w, \t-]*))?", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z][\w-]*")
#: What other tools give no such codes: these are not told about theirs.
_OURS = re.compile(r"DL[A-Z]\d{1,4}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pragma:
    """One suppression. ``codes`` are codes and rule names in lower case; empty means every rule. ``first`` to ``last``
    are the 1-based lines it covers, ``start`` is where it begins in the text."""

    codes: frozenset[str]
    first: int
    last: int
    start: int = -1

    def covers(self, code: str, name: str) -> bool:
        """Whether a rule is among the suppressed ones. A code covers the codes it is a prefix of, as in a selection."""
        return not self.codes or any(self.covering(code, name))

    def covering(self, code: str, name: str) -> Iterator[str]:
        """The codes that suppress a rule."""
        lowered = code.lower()
        return (own for own in self.codes if own == name or lowered.startswith(own))


class Suppressions:
    """The suppression comments of one document."""

    def __init__(self, pragmas: list[Pragma], whole_file: list[Pragma]) -> None:
        self.pragmas = pragmas
        self.whole_file = whole_file
        #: Where the comments begin that have suppressed something, and which of their codes did; empty for all of them.
        self.used: dict[int, set[str]] = {}
        groups: dict[tuple[int, int], list[Pragma]] = {}
        for pragma in pragmas:
            groups.setdefault((pragma.first, pragma.last), []).append(pragma)
        #: By line those that cover it, in groups: the pragmas of a statement share one.
        self._groups: dict[int, list[list[Pragma]]] = {}
        for (first, last), group in groups.items():
            for line in range(first, last + 1):
                self._groups.setdefault(line, []).append(group)

    def on(self, line: int) -> Iterator[Pragma]:
        """Those that cover a 1-based line, without those of the whole file."""
        return chain.from_iterable(self._groups.get(line, ()))

    @classmethod
    def of(cls, document: Document) -> Suppressions:
        """Read the comments of a document.

        On a line of its own or behind code, ``ignore`` and ``noqa`` concern the line they stand on; on the first or
        last line of a statement that spans lines (of a compound statement: its header) they concern all of these. A
        file-wide pragma has a line of its own, anywhere in the file.
        """
        text = document.text.lower()
        if "dllint:" not in text and "noqa" not in text:
            return cls([], [])
        pragmas: list[Pragma] = []
        whole_file: list[Pragma] = []
        for line, alone, start, comment in comments_with_places(document):
            for codes, is_file, at in _read(comment):
                if not is_file:
                    pragmas.append(Pragma(codes, *_statement_lines(document, line), start + at))
                elif alone:
                    whole_file.append(Pragma(codes, 1, len(document.lines.starts), start + at))
        return cls(pragmas, whole_file)

    def matches(self, code: str, name: str, first_line: int, last_line: int | None = None) -> bool:
        """Whether a finding of rule ``code`` (``name``) is suppressed that starts on ``first_line`` (1-based) and ends
        on ``last_line``: a pragma covers either line, or the whole file."""
        ends = (first_line, first_line if last_line is None else last_line)
        here = {pragma.start: pragma for line in ends for pragma in self.on(line)}
        matching = [pragma for pragma in (*self.whole_file, *here.values()) if pragma.covers(code, name)]
        for pragma in matching:
            self.used.setdefault(pragma.start, set()).update(pragma.covering(code, name))
        return bool(matching)


def codes_in_comments(document: Document) -> Iterator[tuple[int, int]]:
    """Start and end of every code or rule name in a suppression comment of ours."""
    for match in STRING_OR_COMMENT.finditer(document.text):
        if match["comment"] is None:
            continue
        for pragma in _PRAGMA.finditer(document.text, match.start(), match.end()):
            if pragma["codes"]:
                yield from (code.span() for code in _CODE.finditer(document.text, *pragma.span("codes")))


def codes_in_noqa(document: Document) -> Iterator[tuple[int, int]]:
    """Start and end of every code in a ``noqa`` comment that could only be ours."""
    if "noqa" not in document.text.lower():
        return
    for _, _, start, comment in comments_with_places(document):
        for match in _NOQA.finditer(comment):
            if match["codes"]:
                found = _CODE.finditer(comment, *match.span("codes"))
                yield from ((start + code.start(), start + code.end()) for code in found if _OURS.fullmatch(code[0]))


def comment_on_line(document: Document, line: int) -> int | None:
    """The offset of the comment that ends a line (1-based), ``None`` if it has none."""
    starts = document.lines.starts
    end = starts[line] if line < len(starts) else len(document.text) + 1
    places = (match.start() for match in STRING_OR_COMMENT.finditer(document.text) if match["comment"] is not None)
    return next((place for place in places if starts[line - 1] <= place < end), None)


def comments(document: Document) -> Iterator[tuple[int, bool, str]]:
    """Line, whether nothing else stands on it, and text of every comment."""
    return ((line, alone, comment) for line, alone, _, comment in comments_with_places(document))


def comments_with_places(document: Document) -> Iterator[tuple[int, bool, int, str]]:
    """The same with where each comment begins in the text, before the text itself."""
    lines = document.lines
    for match in STRING_OR_COMMENT.finditer(document.text):
        comment = match["comment"]
        if comment is not None:
            line = bisect_right(lines.starts, match.start())
            alone = not document.text[lines.starts[line - 1] : match.start()].strip()
            yield line, alone, match.start(), comment


def _read(comment: str) -> Iterator[tuple[frozenset[str], bool, int]]:
    """The codes of each pragma in a comment, whether it concerns the file, and where in the comment it begins. Foreign
    ``noqa`` codes are no pragma."""
    for match in _PRAGMA.finditer(comment):
        codes = _codes(match)
        if codes or match["codes"] is None:
            yield codes, match["file"] is not None, match.start()
    for match in _NOQA.finditer(comment):
        codes = frozenset(code for code in _codes(match) if code.startswith("dl") or "-" in code)
        if codes or match["codes"] is None:
            yield codes, False, match.start()


def _codes(match: re.Match[str]) -> frozenset[str]:
    return frozenset(_CODE.findall((match["codes"] or "").lower()))


def _statement_lines(document: Document, line: int) -> tuple[int, int]:
    """First and last line of the statement (or clause header) that starts or ends on ``line``, else the line twice."""
    chunk = document.chunk_at(line)
    if chunk is None or chunk.tree is None or chunk.problem is not None:
        return line, line
    part = chunk.tree.at(line - 1 - chunk.first_line)
    if part is not None:
        span = document.span(part)
        if line in (span.first.line, span.last.line):
            return span.first.line, span.last.line
    return line, line
