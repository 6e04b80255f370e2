"""A run that takes from the cache what is still true, and keeps what it finds out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from dllint.config.discovery import Configuration
from dllint.config.errors import ConfigError
from dllint.config.options import Settings
from dllint.engine.cache import Cache
from dllint.engine.failing import described
from dllint.engine.own_directory import ForeignDirectoryError
from dllint.engine.results import FileResult, Notice
from dllint.lower.graphs.formats import format_of

CheckAll = Callable[[Sequence[Path], Callable[[], None]], list[FileResult]]


def check_with_cache(
    files: Sequence[Path], configuration: Configuration, check_all: CheckAll, advance: Callable[[], None]
) -> list[FileResult]:
    """The results of all files, in their order; ``check_all`` gives those that are not in the cache."""
    caches = _Caches(configuration)
    done: dict[Path, FileResult] = {}
    for path in files:
        if (known := caches.get(path)) is not None:
            done[path] = known
            advance()
    for result in check_all([path for path in files if path not in done], advance):
        done[result.path] = result
        caches.put(result)
    caches.close()
    if files:
        done[files[0]].notices += caches.refused
    return [done[path] for path in files]


class _Caches:
    """The caches of a run: one per cache directory, as configurations may differ between files."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._open: dict[Path, Cache | None] = {}
        #: What is to be said of directories that are left alone.
        self.refused: list[Notice] = []
        self._said: set[str] = set()

    def get(self, path: Path) -> FileResult | None:
        """The kept result for a file, if it still holds. Those of graphs are not kept: what they depend on is not recorded."""
        if format_of(path) is not None:
            return None
        try:
            cache, settings = self._for(path)
            return None if cache is None else cache.get(path, settings)
        except Exception as error:
            self._pass_by(path, "kept results cannot be used", error)
            return None

    def put(self, result: FileResult) -> None:
        """Keep a result."""
        try:
            cache, settings = self._for(result.path)
            if cache is not None:
                cache.put(result, settings)
        except Exception as error:
            self._pass_by(result.path, "results cannot be kept", error)

    def close(self) -> None:
        """Write what was put."""
        for directory, cache in self._open.items():
            try:
                if cache is not None:
                    cache.close()
            except Exception as error:
                self._pass_by(directory, "results cannot be kept", error)

    def _for(self, path: Path) -> tuple[Cache | None, Settings]:
        settings = self._configuration.for_file(path)
        directory = settings.root / settings.cache_dir
        if directory not in self._open:
            self._open[directory] = None  # for the case that opening it fails
            self._open[directory] = self._opened(directory)
        return self._open[directory], settings

    def _pass_by(self, path: Path, what: str, error: Exception) -> None:
        """Go on without the cache; says so, once of a kind."""
        if isinstance(error, ConfigError):
            raise error
        if what not in self._said:
            self._said.add(what)
            self.refused.append(Notice("ignored", path, f"{what}: {described(error)}"))

    def _opened(self, directory: Path) -> Cache | None:
        try:
            return Cache.open(directory)
        except ForeignDirectoryError as error:
            reason = f"{error}, so no results are kept in it; remove it, or name another one by --cache-dir"
            self.refused.append(Notice("ignored", directory, reason))
            return None
