"""The directories that an analysis has searched: what it found there depends on the files in them.

Imports are followed by the workspace, which knows them. Searches ("does another file use this attribute?") are noted here, with
their answers where they can be asked again (``source/questions.py``).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

from dllint.source.data.plain import SUFFIXES
from dllint.source.regular import read_regular
from dllint.source.stamps import last_change, lasting, stamp_of


class Searched(NamedTuple):
    """A directory whose Python files were searched, with those in the directories below it or without; or one other file that
    was looked for (:func:`looked_for`), or the data files in a directory (:func:`listed_data`)."""

    directory: Path
    below: bool


class Question(NamedTuple):
    """A search that can be repeated: its kind, and what was asked for."""

    kind: str
    given: tuple[str, ...]


class Answered(NamedTuple):
    """A question, the directories whose files decide it, and the answer as a text."""

    question: Question
    places: tuple[Searched, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Observed:
    """What an analysis has searched: the directories on all of whose files it depends, and questions with their answers."""

    trees: set[Searched] = field(default_factory=set)
    answers: dict[Question, Answered] = field(default_factory=dict)


_observed: ContextVar[Observed | None] = ContextVar("observed", default=None)


def searched(directory: Path, *, below: bool) -> None:
    """Note that the Python files in a directory, or also those ``below`` it, were searched."""
    observed = _observed.get()
    if observed is not None:
        observed.trees.add(Searched(directory, below))


def asked(question: Question, places: tuple[Searched, ...], answer: str) -> None:
    """Note a question that the Python files in some directories have answered."""
    observed = _observed.get()
    if observed is not None:
        observed.answers[question] = Answered(question, places, answer)


def looked_for(path: Path) -> None:
    """Note that a file was looked for, and read if it is there."""
    searched(path, below=False)


#: In place of a file in a directory: all its data files.
_ALL_DATA: Final = "*"


def listed_data(directory: Path, *, below: bool) -> None:
    """Note that the data files in a directory, or also those in the directories right ``below`` it, were looked at."""
    searched(directory / _ALL_DATA, below=below)


@contextmanager
def observing() -> Iterator[Observed]:
    """Inside, searches are collected in the object given."""
    observed = Observed()
    token = _observed.set(observed)
    try:
        yield observed
    finally:
        _observed.reset(token)


class State(NamedTuple):
    """The state of a searched directory: a digest of the names and stamps of its Python files, the digests of the content of
    those that were too young for a stamp to tell, and when the last of them was changed (nanoseconds since the epoch)."""

    place: Searched
    digest: str
    young: tuple[tuple[str, str], ...] = ()
    newest: int = 0


def state_of(place: Searched) -> State:
    """The present state of a searched directory."""
    digest = blake2b(digest_size=16)
    young: list[tuple[str, str]] = []
    newest = 0
    for path, status in _files_of(os.fspath(place.directory), place.below):
        digest.update(f"{path}{'' if status is None else stamp_of(status)}\0".encode("utf-8", "surrogateescape"))
        if status is not None:
            newest = max(newest, last_change(status))
            if not lasting(status):
                young.append((path, _content(path)))
    return State(place, digest.hexdigest(), tuple(young), newest)


def files_of(place: Searched) -> list[str]:
    """The paths of the files that were searched."""
    return [path for path, _ in _files_of(os.fspath(place.directory), place.below)]


def is_still(kept: State, present: State) -> bool:
    """Whether nothing has changed since the state of a directory was kept."""
    return kept.digest == present.digest and all(_content(path) == content for path, content in kept.young)


def _files_of(place: str, below: bool) -> Iterator[tuple[str, os.stat_result | None]]:
    """The Python files of a directory, or its data files; what is none of these is the file that was looked for."""
    if os.path.basename(place) == _ALL_DATA:
        yield from _data_files(os.path.dirname(place), below)
        return
    try:
        status = os.stat(place)
    except (OSError, ValueError):
        return
    if stat.S_ISDIR(status.st_mode):
        yield from _python_files(place, below)
    else:
        yield place, status


def _data_files(directory: str, below: bool) -> Iterator[tuple[str, os.stat_result | None]]:
    for entry in _entries(directory):
        if entry.name.endswith(SUFFIXES):
            yield entry.path, _status(entry)
        elif below and _is_folder(entry):
            yield from _data_files(entry.path, below=False)


def _python_files(directory: str, below: bool) -> Iterator[tuple[str, os.stat_result | None]]:
    folders: list[str] = []
    for entry in _entries(directory):
        if entry.name.endswith(".py"):
            yield entry.path, _status(entry)
        if below and _is_folder(entry):
            folders.append(entry.path)
    for folder in folders:
        yield from _python_files(folder, below)


def _entries(directory: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            return sorted(entries, key=attrgetter("name"))
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat()
    except OSError:
        return None


def _content(path: str) -> str:
    try:
        return blake2b(read_regular(path), digest_size=16).hexdigest()
    except OSError:
        return ""
