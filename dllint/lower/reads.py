"""Which files of a project the analysis of a text has read, also those that were read for an earlier text.

What a module of the workspace holds is shared by all texts (``lower/pending.py``). A text that uses a module therefore depends
on all files that were read while statements of the module were executed, whoever asked for them first. A module that is only
named, and whose statements nobody needs, is not among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from dllint.ir.values import Value
from dllint.lower.pending import Loads


class Reads(Loads):
    """The files that are read, by text and by module."""

    def __init__(self) -> None:
        self._direct: set[Path] = set()
        #: By module: the files that were read while its statements were executed.
        self._by_module: dict[Path, set[Path]] = {}
        self._executing: list[set[Path]] = []

    def begin(self) -> None:
        """Start with another text."""
        self._direct = set()
        self._executing.clear()

    def files(self) -> frozenset[Path]:
        """What the present text depends on, as far as it has been analysed."""
        found = set(self._direct)
        todo = list(found)
        while todo:
            new = self._by_module.get(todo.pop(), set()) - found
            found |= new
            todo += new
        return frozenset(found)

    @contextmanager
    def into(self, path: Path, _state: Mapping[str, Value]) -> Iterator[None]:
        """As of any loads: what is read inside counts for all who use the module."""
        self.read(path)
        self._executing.append(self._by_module.setdefault(path, set()))
        try:
            yield
        finally:
            if self._executing:
                self._executing.pop()

    def use(self, path: Path) -> None:
        """A module, or a definition of it, is made use of."""
        self.read(path)

    def read(self, path: Path) -> None:
        """The text of a file is looked at."""
        self._direct.add(path)
        if self._executing:
            self._executing[-1].add(path)
