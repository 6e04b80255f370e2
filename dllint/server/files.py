"""The open files: their texts, what is known about them, and since when."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pygls.uris import to_fs_path

from dllint.edit import Edit, Fix
from dllint.finding import Finding
from dllint.server.messages import Known, Place
from dllint.server.text import Text


@dataclass(slots=True)
class Outcome:
    """What a check found in a version. ``revision`` counts all changes of the workspace; findings may depend on each."""

    version: int
    revision: int
    text: Text
    findings: tuple[Finding, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    #: The fixes that passed the gate, by the number of their finding.
    proved: dict[int, tuple[Fix, ...]] = field(default_factory=dict)
    #: The edits that silence a finding, by its number.
    comments: dict[int, Edit] = field(default_factory=dict)


@dataclass
class Places:
    """Types, shapes and ranges at the places of a text."""

    text: Text
    known: Known

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The places, sorted by start; inner places after outer ones."""
        return self.known.places


@dataclass(slots=True)
class OpenFile:
    """A file that the editor has opened; ``changed`` is the event loop's time of the last edit."""

    uri: str
    path: Path
    version: int
    text: Text
    changed: float
    outcome: Outcome | None = None
    known: Places | None = None
    check: asyncio.Task[None] | None = None
    publication: asyncio.Task[None] | None = None
    #: Texts of versions whose places are not known yet.
    texts: dict[int, Text] = field(default_factory=dict)
    #: How often the analysis process died while checking the file.
    losses: int = 0
    closed: bool = False


class Files:
    """The open files by address and path. Only files on disk and Python code are taken in."""

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
        """The open file of an address; ``None`` for what is not open, and for what is no file."""
        return self._by_uri.get(uri)

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
