"""Edits and fixes: what to change in which document, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path


class Applicability(Enum):
    """How a fix may be applied; the names are ruff's.

    ``SAFE`` computes the same function or replaces code that raises on every run; everything else is ``UNSAFE``.
    ``DISPLAY`` is a sketch that is shown and never applied.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace ``text[start:end]`` (code-point offsets) of ``path`` by ``content``. In a report about a notebook, the text
    is that of the 1-based cell ``cell``."""

    path: Path
    start: int
    end: int
    content: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """One quick fix: edits that belong together."""

    message: str
    edits: tuple[Edit, ...]
    applicability: Applicability


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits, which must not overlap; offsets refer to the given text."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits):
        parts += [text[at : edit.start], edit.content]
        at = edit.end
    return "".join((*parts, text[at:]))
