"""Line starts of a text, and the way between offsets, positions and spans."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, count, pairwise
from operator import add
from typing import Final

from dllint.span import Position, Span

_BREAK = re.compile(r"\r\n|\r|\n")


def count_breaks(text: str) -> int:
    """Number of line breaks (``\\r\\n``, ``\\n`` or a lone ``\\r``) in a text."""
    return len(_BREAK.findall(text)) if "\r" in text else text.count("\n")


_LONE: Final = re.compile(r"\r(?!\n)")


def searchable(text: str) -> str:
    """A text for patterns that know lines by ``\\n``: every lone ``\\r`` is one. No offset changes."""
    return _LONE.sub("\n", text) if "\r" in text else text


class Lines:
    """The lines of a text, split where the Python tokenizer splits (not where :meth:`str.splitlines` does)."""

    __slots__ = ("length", "starts")

    def __init__(self, text: str) -> None:
        self.length = len(text)
        #: 0-based offset of the start of every line; a text that ends with a break has an empty last line.
        self.starts = _starts(text)

    def position(self, offset: int) -> Position:
        """The 1-based line and column of an offset; offsets outside the text are moved to its ends."""
        offset = min(max(offset, 0), self.length)
        line = bisect_right(self.starts, offset) - 1
        return Position(line + 1, offset - self.starts[line] + 1)

    def offset(self, position: Position) -> int:
        """The offset of a position; a column past the end of its line is moved to where the next line starts."""
        line = min(max(position.line, 1), len(self.starts)) - 1
        end = self.starts[line + 1] if line + 1 < len(self.starts) else self.length
        return min(self.starts[line] + max(position.column, 1) - 1, end)

    def span(self, start: int, end: int) -> Span:
        """The span between two offsets."""
        start = min(max(start, 0), self.length)
        end = min(max(end, start), self.length)
        return Span(start, end, self.position(start), self.position(end))

    def line_span(self, number: int) -> Span:
        """The span of a 1-based line, the break at its end included."""
        return self.span(self.offset(Position(number, 1)), self.offset(Position(number + 1, 1)))


def _starts(text: str) -> list[int]:
    if "\r" in text:
        return [0, *(match.end() for match in _BREAK.finditer(text))]
    lengths = map(len, text.split("\n")[:-1])
    return list(map(add, accumulate(lengths, initial=0), count()))  # and a character for each break before


def split_lines(text: str) -> list[str]:
    """The lines of a text with their breaks; they join to the text. Empty for an empty text."""
    if "\r" in text:
        starts = [*Lines(text).starts, len(text)]
        return [text[a:b] for a, b in pairwise(starts) if a < b]
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def common_ends(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    """Lengths of the common prefix of two sequences and of the common suffix of what is left."""
    limit = min(len(a), len(b))
    head = 0
    while head < limit and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < limit - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    return head, tail
