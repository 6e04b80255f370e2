"""The directories that an analysis has searched: what it found there depends on every file in them.

Imports are followed by the workspace, which knows them. Searches ("does another file use this attribute?") are noted here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple


class Searched(NamedTuple):
    """A directory whose Python files were searched, with those in the directories below it or without."""

    directory: Path
    below: bool


_searched: ContextVar[set[Searched] | None] = ContextVar("searched", default=None)


def searched(directory: Path, *, below: bool) -> None:
    """Note that the Python files in a directory, or also those ``below`` it, were searched."""
    directories = _searched.get()
    if directories is not None:
        directories.add(Searched(directory, below))


@contextmanager
def observing() -> Iterator[set[Searched]]:
    """Inside, the directories that are searched are collected in the set given."""
    directories: set[Searched] = set()
    token = _searched.set(directories)
    try:
        yield directories
    finally:
        _searched.reset(token)


def state_of(place: Searched) -> str:
    """A digest of the names, sizes and times of the Python files of a searched directory."""
    digest = blake2b(digest_size=16)
    for base, directories, names in os.walk(place.directory):
        directories[:] = sorted(directories) if place.below else []
        for name in sorted(names):
            if name.endswith(".py"):
                digest.update(f"{base}/{name}{_stamp(os.path.join(base, name))}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _stamp(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns
