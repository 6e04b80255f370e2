"""Discovery of the files to check: the paths named by the user and the files below them, without excluded ones."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dllint.config.discovery import Configuration
from dllint.config.globs import Globs, globs
from dllint.config.options import Settings
from dllint.engine.failing import crash
from dllint.engine.results import Notice
from dllint.source.regular import read_regular

_IGNORE: Final = ".gitignore"
#: The most bytes and lines of a ``.gitignore`` file that are read.
_MOST_BYTES: Final = 512 * 1024
_MOST_LINES: Final = 5_000
#: What the ``.gitignore`` files above a place say, outer ones first.
_Ignores = tuple[tuple[Path, Globs], ...]


@dataclass(slots=True)
class Found:
    """The files to check, in order and without repeats, the named paths that do not exist, and what failed on the way."""

    files: list[Path] = field(default_factory=list)
    missing: list[Path] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


def find_files(paths: Sequence[Path], configuration: Configuration) -> Found:
    """The files that ``paths`` stand for.

    A file named by the user is checked whatever its suffix; exclusions apply to it only with ``force-exclude``.

    Raises:
        ConfigError: the configuration of a directory cannot be used.
    """
    found = Found()
    seen: set[Path] = set()
    for path in paths:
        if os.path.isdir(path):
            candidates: Iterator[Path] = _Walk(configuration, found.notices).below(path)
        elif os.path.exists(path):
            candidates = iter(() if _force_excluded(path, configuration) else (path,))
        else:
            found.missing.append(path)
            continue
        for candidate in candidates:
            absolute = candidate.absolute()
            if absolute not in seen:
                seen.add(absolute)
                found.files.append(candidate)
    return found


def _force_excluded(path: Path, configuration: Configuration) -> bool:
    return configuration.for_file(path).force_exclude and is_excluded(path, configuration)


def is_excluded(path: Path, configuration: Configuration) -> bool:
    """Whether the configuration leaves out a file, or a directory it lies in (below the configuration's, or anywhere if the
    file is not below that).

    Raises:
        ConfigError: the configuration that holds for the file cannot be used.
    """
    settings, absolute = configuration.for_file(path), path.absolute()
    walk = _Walk(configuration, [])
    inside = absolute.is_relative_to(settings.root)
    around = [part for part in absolute.parents if not inside or settings.root in part.parents]
    return walk.excluded(absolute, False, settings) or any(walk.excluded(part, True, settings) for part in around)


@dataclass(slots=True)
class _Walk:
    """One walk below a directory; ``notices`` are of ``.gitignore`` files that could not be used."""

    configuration: Configuration
    notices: list[Notice]
    _useless: set[Path] = field(default_factory=set)

    def below(self, top: Path) -> Iterator[Path]:
        """The files below a directory, sorted, directories after the files beside them."""
        settings = self.configuration.for_directory(top)
        todo = [(top, self._ignores_above(top.absolute()) if settings.respect_gitignore else ())]
        while todo:
            subdirectories = yield from self._directory(*todo.pop())
            todo += reversed(subdirectories)

    def _directory(self, directory: Path, ignores: _Ignores) -> Generator[Path, None, list[tuple[Path, _Ignores]]]:
        """The files of a directory; gives what is to be looked at below it."""
        settings = self.configuration.for_directory(directory)
        if settings.respect_gitignore:
            ignores += self._ignore_file(directory.absolute())
        subdirectories: list[Path] = []
        for entry in _entries(directory):
            is_directory = entry.is_dir(follow_symlinks=False)
            path = directory / entry.name
            if not is_directory and not _included(path, settings):
                continue
            if self.excluded(path.absolute(), is_directory, settings) or self._ignored(path.absolute(), is_directory, ignores):
                continue
            if is_directory:
                subdirectories.append(path)
            else:
                yield path
        return [(path, ignores) for path in subdirectories]

    @staticmethod
    def excluded(path: Path, is_directory: bool, settings: Settings) -> bool:
        """Whether ``exclude`` or ``extend-exclude`` name an absolute path."""
        patterns = (*settings.exclude, *settings.extend_exclude)
        return path.name in patterns or _matches(globs(patterns), path, is_directory, settings.root)

    def _ignored(self, path: Path, is_directory: bool, ignores: Sequence[tuple[Path, Globs]]) -> bool:
        """Whether the ``.gitignore`` files above a path leave it out; the innermost that says anything decides."""
        for base, patterns in reversed(ignores):
            try:
                verdict = patterns.verdict(path.relative_to(base).parts, is_directory)
            except Exception as error:
                self._pass_by(base, error)
                continue
            if verdict is not None:
                return verdict
        return False

    def _ignore_file(self, directory: Path) -> tuple[tuple[Path, Globs], ...]:
        try:
            text = read_regular(directory / _IGNORE, _MOST_BYTES).decode("utf-8-sig", "surrogateescape")
            return ((directory, globs(tuple(text.split("\n", _MOST_LINES)[:_MOST_LINES]))),)
        except OSError:
            return ()
        except Exception as error:
            self._pass_by(directory, error)
            return ()

    def _pass_by(self, directory: Path, error: Exception) -> None:
        """The ``.gitignore`` of a directory leaves nothing out; says so, once."""
        if directory not in self._useless:
            self._useless.add(directory)
            self.notices.append(crash(directory / _IGNORE, "it could not be used, and leaves nothing out", error))

    def _ignores_above(self, top: Path) -> tuple[tuple[Path, Globs], ...]:
        """The ``.gitignore`` files between the repository's root and the parent of ``top``; none outside a repository."""
        parents: list[Path] = []
        for parent in (top, *top.parents):
            parents.append(parent)
            if os.path.exists(parent / ".git"):
                return tuple(item for directory in parents[:0:-1] for item in self._ignore_file(directory))
        return ()


def _entries(directory: Path) -> list[os.DirEntry[str]]:
    """The entries of a directory by name; none if it cannot be listed."""
    try:
        with os.scandir(directory) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _included(path: Path, settings: Settings) -> bool:
    suffixes = tuple(pattern[1:] for pattern in settings.include if pattern.startswith("*.") and "/" not in pattern)
    if path.name.endswith(suffixes):
        return os.path.isfile(path)
    return len(suffixes) != len(settings.include) and _matches(globs(settings.include), path.absolute(), False, settings.root)


def _matches(patterns: Globs, path: Path, is_directory: bool, base: Path) -> bool:
    if not path.is_relative_to(base):
        return patterns.names((path.name,))
    return patterns.names(path.relative_to(base).parts, is_directory)
