"""The present state of files and directories, each looked at once in a run; a kept stamp that still holds saves the look."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from dllint.engine.dependencies import digest_of_file
from dllint.source.observed import Searched, State, files_of, is_still, state_of
from dllint.source.resolution import Listing, Watched, holds_modules, holds_text, listing
from dllint.source.stamps import NO_STAMP, last_change, lasting, present_stamp

#: What a stamp is of: the content of a file, or the listing of a directory.
CONTENT: Final = 0
LISTING: Final = 1
#: The state of what is no file: a package without ``__init__.py``.
_NO_FILE: Final = "none"


class Stamped(NamedTuple):
    """A state, and the stamp by which it is recognised; empty if none is trusted."""

    stamp: str
    state: str


class Present:
    """What is true now. ``began``: when the run began, in nanoseconds; what was changed since is not *settled*: nobody knows
    whether an analysis has seen it before or after."""

    def __init__(self, began: int) -> None:
        self.began = began
        #: What is kept of files and directories, by kind and path; whoever loads it puts it here.
        self.kept: dict[tuple[int, str], Stamped] = {}
        #: The directories of which different states were seen in this run.
        self.moving: set[str] = set()
        self._states: dict[tuple[int, str], Stamped] = {}
        self._holding: dict[str, bool] = {}
        self._trees: dict[Searched, State] = {}
        self._contents: dict[Searched, dict[str, str]] = {}
        self._contents_of: dict[State, dict[str, str] | None] = {}

    def content(self, path: str) -> str:
        """A hash of the content of a file; that of nothing if it cannot be read, another constant for a directory."""
        return self._state(CONTENT, path).state

    def is_settled(self, path: str) -> bool:
        """Whether a file or directory has not been changed since the run began. Of directories, the answers tell."""
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            return True
        return stat.S_ISDIR(status.st_mode) or last_change(status) < self.began

    def watched(self, watched: Watched) -> str:
        """The state of a directory that answers depend on."""
        if not watched.holds:
            return self._state(LISTING, watched.directory).state
        if watched.directory not in self._holding:
            self._holding[watched.directory] = holds_modules(watched.directory)
        return holds_text(self._holding[watched.directory])

    def is_still(self, kept: State) -> bool:
        """Whether a searched directory is as it was, by the stamps of its files."""
        if kept.place not in self._trees:
            self._trees[kept.place] = state_of(kept.place)
        return is_still(kept, self._trees[kept.place])

    def contents(self, place: Searched) -> dict[str, str]:
        """The hashes of the content of the files in a searched directory, by path."""
        if place not in self._contents:
            self._contents[place] = {path: self.content(path) for path in files_of(place)}
        return self._contents[place]

    def contents_of(self, seen: State) -> dict[str, str] | None:
        """The hashes of the content that the files of a directory had when it was in a state of this run; ``None`` if they are
        others by now."""
        if seen.newest >= self.began:
            return None
        if seen not in self._contents_of:
            contents = self.contents(seen.place)
            self._contents_of[seen] = contents if state_of(seen.place).digest == seen.digest else None
        return self._contents_of[seen]

    def learn(self, listings: Mapping[str, Listing], holding: Mapping[str, bool]) -> None:
        """Take over what an analysis of this run has seen of directories."""
        for directory, found in listings.items():
            self._learn((LISTING, directory), Stamped(found.stamp, found.digest))
        for directory, holds in holding.items():
            if self._holding.setdefault(directory, holds) != holds:
                self.moving.add(directory)

    def _learn(self, key: tuple[int, str], seen: Stamped) -> None:
        if self._states.setdefault(key, seen).state != seen.state:
            self.moving.add(key[1])

    def news(self) -> Iterator[tuple[int, str, Stamped]]:
        """What was looked at and is not kept as it is, by kind and path."""
        for key, found in self._states.items():
            if found.stamp != NO_STAMP and self.kept.get(key) != found:
                yield (*key, found)

    def _state(self, kind: int, path: str) -> Stamped:
        key = kind, path
        found = self._states.get(key)
        if found is None:
            kept = self.kept.get(key)
            if kept is not None and kept.stamp != NO_STAMP and kept.stamp == present_stamp(path):
                found = kept
            else:
                found = _content(path) if kind == CONTENT else _listing(path)
            self._states[key] = found
        return found


def _content(path: str) -> Stamped:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return Stamped(NO_STAMP, "")
    if stat.S_ISDIR(status.st_mode):
        return Stamped(NO_STAMP, _NO_FILE)
    return Stamped(lasting(status), digest_of_file(path))


def _listing(path: str) -> Stamped:
    found = listing(path)
    return Stamped(found.stamp, found.digest)
