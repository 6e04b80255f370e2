"""A run that takes from the cache what is still true, and keeps what it finds out."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from dllint.config.discovery import Configuration
from dllint.config.errors import ConfigError
from dllint.config.options import Settings
from dllint.engine.cache import Cache, Wanted
from dllint.engine.failing import described
from dllint.engine.figures import Figures
from dllint.engine.followed import seen_of
from dllint.engine.own_directory import ForeignDirectoryError
from dllint.engine.results import FileResult, Notice
from dllint.lower.graphs.formats import format_of

CheckAll = Callable[[Sequence[Path], Callable[[], None]], list[FileResult]]


def check_with_cache(
    files: Sequence[Path], configuration: Configuration, check_all: CheckAll, advance: Callable[[], None]
) -> list[FileResult]:
    """The results of all files, in their order; ``check_all`` gives those that are not in the cache."""
    caches = _Caches(configuration, time.time_ns())
    done = caches.find(files)
    for _ in done:
        advance()
    new = check_all([path for path in files if path not in done], advance)
    found = frozenset(done)
    done |= {result.path: result for result in new}
    caches.keep(new)
    caches.follow([done[path] for path in files], found)
    caches.close()
    if files:
        done[files[0]].notices += caches.refused
    return [done[path] for path in files]


class _Caches:
    """The caches of a run: one per cache directory, as configurations may differ between files."""

    def __init__(self, configuration: Configuration, began: int) -> None:
        self._configuration = configuration
        self._began = began
        self._open: dict[Path, Cache | None] = {}
        #: What is to be said of directories that are left alone.
        self.refused: list[Notice] = []
        self._said: set[str] = set()

    def find(self, files: Sequence[Path]) -> dict[Path, FileResult]:
        """The kept results that still hold. Those of graphs are not kept: what they depend on is not recorded."""
        wanted: dict[Path, list[Wanted]] = {}
        for path in files:
            if format_of(path) is None:
                settings = self._configuration.for_file(path)
                wanted.setdefault(_directory(settings), []).append(Wanted(path, settings))
        found: dict[Path, FileResult] = {}
        for directory, group in wanted.items():
            with self._passing_by(directory, "kept results cannot be used"):
                cache = self._cache(directory)
                found |= {} if cache is None else cache.find(group)
        return found

    def keep(self, results: Sequence[FileResult]) -> None:
        """Keep results."""
        groups: dict[Path, list[tuple[FileResult, Settings]]] = {}
        for result in results:
            if format_of(result.path) is None:
                settings = self._configuration.for_file(result.path)
                groups.setdefault(_directory(settings), []).append((result, settings))
        for directory, group in groups.items():
            with self._passing_by(directory, "results cannot be kept"):
                cache = self._cache(directory)
                if cache is not None:
                    cache.keep(group)

    def follow(self, results: Sequence[FileResult], found: Collection[Path]) -> None:
        """Put what was followed into the results. What other files have seen of a file counts, too."""
        paths = [result.path for result in results]
        caches = [cache for cache in self._open.values() if cache is not None]
        figures: list[Figures | None] | None = None
        if len(caches) == 1 and len(found) == len(paths):
            with self._passing_by(self._first_directory(), "kept results cannot be used"):
                figures = caches[0].figures(paths)
        if figures is None:
            for result in results:
                if result.path in found:
                    with self._passing_by(result.path, "kept results cannot be used"):
                        cache = self._cache(_directory(self._configuration.for_file(result.path)))
                        result.followed = None if cache is None else cache.followed(result.path)
            figures = seen_of(results)
            if len(caches) == 1:
                with self._passing_by(self._first_directory(), "results cannot be kept"):
                    caches[0].keep_figures(paths, figures)
        for result, seen in zip(results, figures, strict=True):
            result.figures = seen

    def close(self) -> None:
        """Write what was put."""
        for directory, cache in self._open.items():
            with self._passing_by(directory, "results cannot be kept"):
                if cache is not None:
                    cache.close()

    def _first_directory(self) -> Path:
        return next(iter(self._open), Path())

    def _cache(self, directory: Path) -> Cache | None:
        if directory not in self._open:
            self._open[directory] = None  # for the case that opening it fails
            self._open[directory] = self._opened(directory)
        return self._open[directory]

    @contextmanager
    def _passing_by(self, path: Path, what: str) -> Iterator[None]:
        """Inside, an error makes the run go on without the cache; that is said once of a kind."""
        try:
            yield
        except ConfigError:
            raise
        except Exception as error:
            if what not in self._said:
                self._said.add(what)
                self.refused.append(Notice("ignored", path, f"{what}: {described(error)}"))

    def _opened(self, directory: Path) -> Cache | None:
        try:
            return Cache.open(directory, self._began)
        except ForeignDirectoryError as error:
            reason = f"{error}, so no results are kept in it; remove it, or name another one by --cache-dir"
            self.refused.append(Notice("ignored", directory, reason))
            return None


def _directory(settings: Settings) -> Path:
    """Where results under some settings are kept."""
    return settings.root / settings.cache_dir
