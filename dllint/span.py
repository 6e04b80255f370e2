"""Places in a document: positions, spans and locations.

Lines and columns are 1-based and count code points; offsets are 0-based code-point offsets into the decoded text.
Editor units (UTF-16) are made at the language-server edge only.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A 1-based line and column of a document."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of a document's text, as offsets and as positions."""

    start: int
    end: int
    first: Position
    last: Position


@dataclass(frozen=True, slots=True)
class Location:
    """A span in a file; ``cell`` is the 1-based notebook cell, or ``None`` outside notebooks; ``node`` the node of a graph, or
    ``None`` outside graphs. ``listed``: the graph's file is no text, and the span is one of its listing."""

    path: Path
    span: Span
    cell: int | None = None
    node: str | None = None
    listed: bool = False

    @property
    def in_file(self) -> bool:
        """Whether the lines of the span are those of the file itself."""
        return self.cell is None and not self.listed
