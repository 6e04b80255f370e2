"""Which files of a project the analysis of a text has read, also those that were read for an earlier text.

What a module of the workspace holds is shared by all texts (``lower/pending.py``). A text that uses a module therefore depends
on all files that were read while statements of the module were executed, whoever asked for them first. A module that is only
named, and whose statements nobody needs, is not among them. Of a file that is looked through for names (by star imports, and by
``lower/stars.py``) only what such a search sees counts (``source/handed_on.py``).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from dllint.ir.values import Value
from dllint.lower.pending import Loads
from dllint.source import handed_on
from dllint.source.document import Document


@dataclass(slots=True)
class _Files:
    """Files that were read, and files that were looked through."""

    read: set[Path] = field(default_factory=set)
    searched: set[Path] = field(default_factory=set)


class Reads(Loads):
    """The files that are read, by text and by module."""

    def __init__(self) -> None:
        #: By absolute path: the digest of what searches have seen of a file.
        self.seen: dict[str, str] = {}
        self._known: set[Path] = set()
        #: What modules list in ``__all__``, ``None`` where that is computed.
        self._lists: dict[Path, tuple[str, ...] | None] = {}
        self._direct = _Files()
        #: By module: the files that were read while its statements were executed.
        self._by_module: dict[Path, _Files] = {}
        self._executing: list[_Files] = []
        #: The module whose ``__all__`` is asked for, and tells all that it depends on.
        self._listed: Path | None = None

    def begin(self) -> None:
        """Start with another text."""
        self._direct = _Files()
        self._executing.clear()
        self._listed = None

    def files(self) -> frozenset[str]:
        """The absolute paths of the files that the present text depends on, as far as it has been analysed."""
        return frozenset(map(os.path.abspath, self._all().read))

    def only_searched(self) -> frozenset[str]:
        """Those of other files of which only what searches have seen counts."""
        found = self._all()
        return frozenset(map(os.path.abspath, found.searched - found.read))

    def _all(self) -> _Files:
        """What the present text depends on, by way of the modules that it uses."""
        found = _Files(set(self._direct.read), set(self._direct.searched))
        todo = list(found.read)
        while todo:
            behind = self._by_module.get(todo.pop())
            if behind is not None:
                todo += behind.read - found.read
                found.read |= behind.read
                found.searched |= behind.searched
        return found

    @contextmanager
    def into(self, path: Path, _state: Mapping[str, Value]) -> Iterator[None]:
        """As of any loads: what is read inside counts for all who use the module."""
        self.use(path)
        self._executing.append(self._by_module.setdefault(path, _Files()))
        try:
            yield
        finally:
            if self._executing:
                self._executing.pop()

    def use(self, path: Path) -> None:
        """A module, or a definition of it, is made use of."""
        if path != self._listed:
            self._direct.read.add(path)
            if self._executing:
                self._executing[-1].read.add(path)

    def search(self, path: Path, document: Document | None) -> None:
        """The document of a file is looked through for names."""
        self._direct.searched.add(path)
        if self._executing:
            self._executing[-1].searched.add(path)
        if document is not None and path not in self._known:
            self._known.add(path)
            self.seen[os.path.abspath(path)] = handed_on.digest(document)

    @contextmanager
    def listing(self, path: Path, document: Document | None) -> Iterator[None]:
        """As of any loads: a list that is written out is part of what a search sees."""
        before, self._listed = self._listed, path if self._written(path, document) is not None else None
        try:
            yield
        finally:
            self._listed = before

    def listed(self, path: Path, document: Document | None, names: object) -> None:
        """As of any loads: decorators and the like may have changed the list."""
        written = self._written(path, document)
        if written is None or not isinstance(names, (list, tuple)) or written != tuple(names):
            self.use(path)

    def _written(self, path: Path, document: Document | None) -> tuple[str, ...] | None:
        if path not in self._lists:
            self._lists[path] = None if document is None else handed_on.written_out(document)
        return self._lists[path]
