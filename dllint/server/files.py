"""The open files: their texts, what is known about them, and since when."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pygls.uris import to_fs_path

from dllint.analysis.architecture.outlined import Outline
from dllint.edit import Edit, Fix
from dllint.finding import Finding
from dllint.server.messages import Buffer, Cells, Known, Place
from dllint.server.parts import Part, Parts
from dllint.server.text import Text


@dataclass(slots=True)
class Outcome:
    """What a check found in a version. ``revision`` counts all changes of the workspace; findings may depend on each."""

    version: int
    revision: int
    parts: Parts
    findings: tuple[Finding, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    #: The fixes that passed the gate, by the number of their finding.
    proved: dict[int, tuple[Fix, ...]] = field(default_factory=dict)
    #: The edits that silence a finding, by its number.
    comments: dict[int, Edit] = field(default_factory=dict)
    file_comments: dict[int, Edit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Places:
    """Types, shapes and ranges at the places of a text, sorted by start; inner places after outer ones."""

    text: Text
    places: tuple[Place, ...]


@dataclass
class Remembered:
    """What was known at the places of a version."""

    parts: Parts
    known: Known

    @cached_property
    def _by_cell(self) -> Mapping[int | None, tuple[Place, ...]]:
        by_cell: dict[int | None, list[Place]] = {}
        for place in self.known.places:
            by_cell.setdefault(place.cell, []).append(place)
        return {cell: tuple(places) for cell, places in by_cell.items()}

    @cached_property
    def _outlines(self) -> Mapping[int | None, Outline]:
        return self.known.outlines

    def outline(self, uri: str) -> tuple[Text, Outline] | None:
        """The models in the text of an address, with that text as it was; ``None`` if that version had none."""
        part = self.parts.at(uri)
        found = self._outlines.get(part.cell) if part is not None else None
        return (part.text, found) if part is not None and found is not None else None

    def of(self, uri: str) -> Places | None:
        """The part of it for the text of an address; ``None`` if that version had none."""
        part = self.parts.at(uri)
        return Places(part.text, self._by_cell.get(part.cell, ())) if part is not None else None


@dataclass(slots=True)
class OpenFile:
    """A file or notebook that the editor has opened; ``changed`` is the event loop's time of the last edit. ``version`` is the
    editor's of a file, and counts the changes of a notebook's Python cells."""

    uri: str
    path: Path
    version: int
    parts: Parts
    changed: float
    is_notebook: bool = False
    outcome: Outcome | None = None
    known: Remembered | None = None
    #: Set when more is known.
    learnt: asyncio.Event = field(default_factory=asyncio.Event)
    check: asyncio.Task[None] | None = None
    publication: asyncio.Task[None] | None = None
    #: Texts of versions whose places are not known yet.
    texts: dict[int, Parts] = field(default_factory=dict)
    #: How often the analysis process died while checking the file.
    losses: int = 0
    closed: bool = False

    @property
    def news(self) -> Buffer | Cells:
        """What the analysis is told of it."""
        if self.is_notebook:
            cells = tuple((part.cell, part.text.content) for part in self.parts if part.cell is not None)
            return Cells(self.path, self.version, cells)
        (part,) = self.parts
        return Buffer(self.path, self.version, part.text.source)


class Files:
    """The open files and notebooks by address and path. Only files on disk and Python code are taken in."""

    def __init__(self) -> None:
        self._by_uri: dict[str, OpenFile] = {}
        self._by_path: dict[Path, OpenFile] = {}

    def add(self, file: OpenFile) -> None:
        """Take in an opened file."""
        self._by_uri[file.uri] = file
        self._by_path[file.path] = file

    def remove(self, uri: str) -> OpenFile | None:
        """Take out a closed file."""
        file = self._by_uri.pop(uri, None)
        if file is not None:
            file.closed = True
            if self._by_path.get(file.path) is file:
                del self._by_path[file.path]
        return file

    def get(self, uri: str) -> OpenFile | None:
        """The open file or notebook of an address; ``None`` for what is not open, and for what is no file."""
        return self._by_uri.get(uri)

    def locate(self, uri: str) -> tuple[OpenFile, Part] | None:
        """The open text of an address, and its file: a file that is no notebook, or a Python cell."""
        found = ((file, part) for file in self for part in (file.parts.at(uri),) if part is not None)
        return next(found, None)

    def at(self, path: Path) -> OpenFile | None:
        """The open file of a path."""
        return self._by_path.get(path)

    def __iter__(self) -> Iterator[OpenFile]:
        return iter(list(self._by_uri.values()))


def path_of(uri: str) -> Path | None:
    """The path of an address; ``None`` for what is no file (``untitled:``, a notebook cell, a diff)."""
    try:
        path = to_fs_path(uri)
    except ValueError:
        return None
    return Path(path) if path else None
