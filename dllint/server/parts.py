"""The texts of an open file that the editor knows by addresses of their own: the file itself, or the cells of a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dllint.server.text import Text


@dataclass(frozen=True, slots=True)
class Part:
    """One such text with the version that the editor gives it; ``cell`` is the 1-based number of a cell among all cells of its
    notebook, ``None`` for a file that is no notebook."""

    uri: str
    version: int
    text: Text
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Parts:
    """The texts of a file at one time; of a notebook those of its Python cells, in order."""

    all: tuple[Part, ...]

    def __iter__(self) -> Iterator[Part]:
        return iter(self.all)

    def at(self, uri: str) -> Part | None:
        """The text of an address."""
        return next((part for part in self.all if part.uri == uri), None)

    def of(self, cell: int | None) -> Part | None:
        """The text of a cell; with ``None`` that of a file that is no notebook."""
        return next((part for part in self.all if part.cell == cell), None)
