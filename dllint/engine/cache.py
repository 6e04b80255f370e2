"""Results on disk: a file whose text, settings and dependencies are as they were is not analysed again.

A result is kept with the digest of its file, the files that its analysis has read (``lower/reads.py``), and a hash of what is
directly true of these (``engine/graph.py``): their content, and which files their imports name, so that a file that comes to
hide another is seen. It also has what was searched in directories
(``source/observed.py``: whoever searches a directory tells it there; ``engine/trees.py``). The key has all settings and the
state of the files that say which releases the code is for; the context of facts has dllint's own files and the search path of
imports.

A cache keeps a run from nothing: one that cannot be made is left aside, one that is damaged is emptied. Fixes never use it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
import zlib
from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

import dllint
from dllint.config.options import Settings
from dllint.config.release_files import ReleaseFiles
from dllint.engine.dependencies import digest_of
from dllint.engine.figures import Figures
from dllint.engine.followed import Followed
from dllint.engine.graph import Graph
from dllint.engine.hashes import hashed
from dllint.engine.own_directory import OwnDirectory
from dllint.engine.present import Present
from dllint.engine.results import FileResult
from dllint.engine.store import Store
from dllint.engine.stored import (
    finding_from_data,
    finding_to_data,
    notice_from_data,
    notice_to_data,
)
from dllint.engine.trees import Trees
from dllint.source.resolution import SearchPath

_STEM: Final = "results"
_SUFFIX: Final = ".sqlite"
#: The ends of the names of files that SQLite keeps beside a database.
_BESIDES: Final = ("-journal", "-wal", "-shm")
#: Folders of dllint that no result depends on: the rooms above this one, which it does not import, and what Python keeps.
_ABOVE: Final = frozenset({"report", "server", "diagnose", "bisection", "cli", "dev", "page", "__pycache__"})
_DAY: Final = 24 * 3600.0
_FORGET_AFTER: Final = 30 * _DAY
#: The state of what was read for a file in which nothing was asked.
_READ_NOTHING: Final = ""
#: The type of the numbers of the files that were read, as they are stored.
_NUMBERS: Final = "q"
_BROKEN: Final = (sqlite3.Error, OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError, zlib.error)
_SELECT: Final = "SELECT context, digest, files, state, used, content FROM results WHERE path = ? AND settings = ? AND tool = ?"


class Wanted(NamedTuple):
    """A file, as it was named, with its settings."""

    path: Path
    settings: Settings


class _Row(NamedTuple):
    """A stored result: its key, what it depends on, when it was used last, and what it says."""

    path: str
    settings: str
    context: str
    digest: str
    files: bytes
    state: str
    used: float
    content: str

    def numbers(self) -> array[int]:
        """The numbers of the files that were read. Raises ValueError if they are damaged."""
        found = array(_NUMBERS)
        found.frombytes(self.files)
        return found


class Cache:
    """The results kept in a directory, for one run. ``began``: when the run began, in nanoseconds since the epoch."""

    def __init__(self, store: Store, began: int) -> None:
        self._store = store
        self._present = Present(began)
        self._trees = Trees(store, self._present)
        self._tool = tool_version()
        self._graphs: dict[SearchPath, Graph] = {}
        self._release_files = ReleaseFiles()
        #: Digests of settings with what directories say of releases.
        self._settings: dict[tuple[Settings, str], str] = {}
        #: The rows of the results that were found or kept in this run.
        self._current: dict[Path, _Row] = {}
        self._has_news = False

    @classmethod
    def open(cls, directory: Path, began: int) -> Cache | None:
        """The cache in a directory, which is made; ``None`` if it cannot be used.

        Raises:
            ForeignDirectoryError: there is a directory that dllint has not made.
        """
        try:
            return cls(Store.open(OwnDirectory.open(directory).file(_STEM, _SUFFIX, _BESIDES)), began)
        except (sqlite3.Error, OSError):
            return None

    def find(self, wanted: Sequence[Wanted]) -> dict[Path, FileResult]:
        """The results of those files of which nothing that they depend on has changed. Their texts are not read."""
        try:
            rows = {each.path: row for each in wanted if (row := self._row(each)) is not None}
            by_path: dict[SearchPath, set[int]] = {}
            for each in wanted:
                if each.path in rows and rows[each.path].state != _READ_NOTHING:
                    by_path.setdefault(each.settings.search_path, set()).update(rows[each.path].numbers())
            for search_path, numbers in by_path.items():
                self._graph(search_path).load(numbers)
            return {each.path: found for each in wanted if (found := self._held(each, rows.get(each.path))) is not None}
        except _BROKEN:
            self._start_anew()
            return {}

    def _row(self, wanted: Wanted) -> _Row | None:
        key = self._key(wanted)
        found = self._store.rows(_SELECT, (*key, self._tool))
        return _Row(*key, *found[0]) if found else None

    def _held(self, wanted: Wanted, row: _Row | None) -> FileResult | None:
        """The result in a row, if it still holds."""
        path = os.path.abspath(wanted.path)
        if row is None or not row.digest or self._present.content(path) != row.digest:
            return None
        if row.state != _READ_NOTHING and self._graph(wanted.settings.search_path).state_of(row.numbers()) != row.state:
            return None
        try:
            searched, findings, notices, decided = json.loads(row.content)
            if not self._trees.hold(searched):
                return None
            result = FileResult(wanted.path, [finding_from_data(finding) for finding in findings], unread=True)
            result.notices = [notice_from_data(notice) for notice in notices]
            result.decided = tuple(decided)
        except _BROKEN:
            return None
        self._current[wanted.path] = row
        return result

    def keep(self, results: Sequence[tuple[FileResult, Settings]]) -> None:
        """Keep new results. One that an error of dllint spoiled, or whose dependencies are not known, is not kept."""
        try:
            self._keep([(result, settings) for result, settings in results if _may_be_kept(result)])
        except _BROKEN:
            self._start_anew()

    def _keep(self, results: Sequence[tuple[FileResult, Settings]]) -> None:
        by_path: dict[SearchPath, list[FileResult]] = {}
        for result, _ in results:
            if result.dependencies is not None:
                by_path.setdefault(result.dependencies.facts.path, []).append(result)
        for search_path, group in by_path.items():
            graph = self._graph(search_path)
            for facts in {id(each.facts): each.facts for result in group if (each := result.dependencies) is not None}.values():
                graph.learn(facts)
            read = {path for result in group for path in _read_for(result)}
            graph.renew(read, {path for result in group for path in _only_searched_for(result)})
        for result, settings in results:
            self._put(result, settings)
        for graph in self._graphs.values():
            self._has_news |= graph.write()
        self._follow_states()

    def _put(self, result: FileResult, settings: Settings) -> None:
        dependencies, path = result.dependencies, os.path.abspath(result.path)
        if dependencies is None or self._present.content(path) != dependencies.digest or not self._present.is_settled(path):
            return
        searched = self._trees.data(dependencies.trees, dependencies.answers, dependencies.asked)
        if searched is None:
            return
        graph = self._graph(dependencies.facts.path)
        files, state = b"", _READ_NOTHING
        others = _only_searched_for(result)
        if len(_read_for(result)) > 1 or others or dependencies.facts.asked.get(path):
            numbers = graph.numbers(_read_for(result), others)
            found = None if numbers is None else graph.state_of(numbers)
            if numbers is None or found is None:
                return
            files, state = array(_NUMBERS, numbers).tobytes(), found
        content = [
            searched,
            list(map(finding_to_data, result.findings)),
            list(map(notice_to_data, result.notices)),
            list(result.decided),
        ]
        text = json.dumps(content, separators=(",", ":"))
        row = _Row(
            *self._key(Wanted(result.path, settings)), graph.context, dependencies.digest, files, state, time.time(), text
        )
        packed = None if result.followed is None else zlib.compress(json.dumps(result.followed.to_data()).encode(), 1)
        self._store.write(
            "INSERT OR REPLACE INTO results (path, settings, context, digest, files, state, used, content, tool, followed) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(*row, self._tool, packed)],
        )
        self._current[result.path] = row
        self._has_news = True

    def _follow_states(self) -> None:
        """Where more was asked of a file than before, results that were found hold for its new node as they did for the old."""
        graphs = {graph.context: graph for graph in self._graphs.values()}
        for path, row in self._current.items():
            if row.state != _READ_NOTHING and row.context in graphs:
                state = graphs[row.context].state_of(row.numbers())
                if state is not None and state != row.state:
                    self._current[path] = row._replace(state=state)
                    changed = (state, row.path, row.settings)
                    self._store.write("UPDATE results SET state = ? WHERE path = ? AND settings = ?", [changed])

    def figures(self, paths: Sequence[Path]) -> list[Figures | None] | None:
        """What was followed in each of the files of a run, all of whose results are current; ``None`` if it is not stored."""
        try:
            found = self._store.rows("SELECT content FROM figures WHERE run = ?", (self._run(paths),))
            return [None if data is None else Figures(*data) for data in json.loads(found[0][0])] if found else None
        except _BROKEN:
            return None

    def keep_figures(self, paths: Sequence[Path], figures: Iterable[Figures | None]) -> None:
        """Keep what was followed in the files of a run, if all of their results are current."""
        with suppress(*_BROKEN):
            data = [None if each is None else each.to_fields() for each in figures]
            self._store.write(
                "INSERT OR REPLACE INTO figures VALUES (?, ?, ?)", [(self._run(paths), time.time(), json.dumps(data))]
            )
            self._has_news = True

    def _run(self, paths: Sequence[Path]) -> str:
        """What the figures of a run depend on. Raises LookupError if a result is not current."""
        rows = (self._current[path] for path in paths)
        return hashed([self._tool, *(f"{row.settings} {row.context} {row.digest} {row.state}" for row in rows)])

    def followed(self, path: Path) -> Followed | None:
        """What the analysis of a file has seen whose result was found.

        Raises:
            LookupError, ValueError, TypeError, sqlite3.Error, zlib.error: that is damaged.
        """
        row = self._current[path]
        found = self._store.rows("SELECT followed FROM results WHERE path = ? AND settings = ?", (row.path, row.settings))
        packed = found[0][0]
        return None if packed is None else Followed.from_data(json.loads(zlib.decompress(packed)))

    def close(self) -> None:
        """Write what was put, and forget what has not been asked for in a month."""
        with suppress(*_BROKEN):
            self._write_stamps()
            now = time.time()
            marks = [(now, row.path, row.settings) for row in self._current.values() if row.used < now - _DAY]
            self._store.write("UPDATE results SET used = ? WHERE path = ? AND settings = ?", marks)
            if marks:
                self._trees.mark(now)
            if marks or self._has_news:
                self._forget(now - _FORGET_AFTER)
            self._store.close()

    def _write_stamps(self) -> None:
        news = [
            (number, kind, found.stamp, found.state)
            for kind, path, found in self._present.news()
            if (number := self._store.known_number(path)) is not None
        ]
        if news:
            self._store.write("INSERT OR REPLACE INTO stamps VALUES (?, ?, ?, ?)", news)

    def _forget(self, limit: float) -> None:
        self._store.write("DELETE FROM results WHERE used < ?", [(limit,)])
        self._store.write("DELETE FROM figures WHERE used < ?", [(limit,)])
        self._trees.forget(limit)
        self._store.write("DELETE FROM nodes WHERE context NOT IN (SELECT context FROM results WHERE used >= ?)", [(limit,)])

    def _start_anew(self) -> None:
        """Forget everything, as something is damaged."""
        self._graphs.clear()
        self._current.clear()
        self._present.kept.clear()
        with suppress(sqlite3.Error):
            self._store.empty()

    def _graph(self, path: SearchPath) -> Graph:
        if path not in self._graphs:
            self._graphs[path] = Graph(self._store, self._present, hashed([self._tool, repr(path)]), path)
        return self._graphs[path]

    def _key(self, wanted: Wanted) -> tuple[str, str]:
        """The key of a result: the file, its settings and the files that say which releases it is for."""
        path, settings = wanted
        name = os.path.abspath(path).encode("utf-8", "backslashreplace").decode()  # names of files need not be text
        state = self._release_files.fingerprint(path)
        known = self._settings.get((settings, state))
        if known is None:
            known = self._settings[settings, state] = digest_of(repr((settings, state)).encode("utf-8", "surrogatepass"))
        return name, hashed([known, str(path)])


def _may_be_kept(result: FileResult) -> bool:
    return result.dependencies is not None and all(notice.expected for notice in result.notices)


def _read_for(result: FileResult) -> set[str]:
    """The paths of the files that the analysis of a file has read, itself included."""
    others = () if result.dependencies is None else result.dependencies.read
    return {os.path.abspath(result.path), *others}


def _only_searched_for(result: FileResult) -> frozenset[str]:
    """The paths of other files that its analysis has only looked through for names."""
    return frozenset() if result.dependencies is None else result.dependencies.only_searched


def tool_version() -> str:
    """What a result depends on of dllint itself: its version and the state of its files, as people change them."""
    digest = blake2b(dllint.__version__.encode(), digest_size=16)
    todo = [os.path.dirname(os.path.abspath(dllint.__file__))]
    while todo:
        with os.scandir(todo.pop()) as entries:
            for entry in sorted(entries, key=attrgetter("name")):
                if entry.name.endswith((".py", ".json")):
                    status = entry.stat()
                    digest.update(f"{entry.name}{status.st_size}{status.st_mtime_ns}".encode())
                elif "." not in entry.name and entry.name not in _ABOVE:
                    todo.append(entry.path)
    return digest.hexdigest()


def clean(directory: Path) -> bool:
    """Remove a cache directory's files; whether there were any. Files that are not the cache's stay, and so does the
    directory then.

    Raises:
        OSError: a file cannot be removed.
    """
    own = OwnDirectory.known(directory)
    if own is not None:
        own.remove()
    return own is not None
