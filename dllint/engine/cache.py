"""Results on disk: a file whose text, settings and dependencies are as they were is not analysed again.

One SQLite database per cache directory, one row per file and settings, plain JSON inside. A cache that cannot be used is left
alone: it never keeps a run from being done.

A result is kept with the digest of its file and everything else it depends on (``engine/dependencies.py``): the files
its imports led to, every import lookup with its answer (so that a file that comes to hide another is seen), and the
state of each directory that a rule has searched (``source/observed.py``: whoever searches a directory tells it
there). The key also has all settings and the state of dllint's own files. One SQLite database per cache directory,
plain JSON inside; a cache that is damaged or cannot be made is left aside. Fixes never use it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
import zlib
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import dllint
from dllint.config.options import Settings
from dllint.config.targets import Projects, fingerprint
from dllint.engine.dependencies import Dependencies, Present, digest_of
from dllint.engine.followed import Followed
from dllint.engine.own_directory import OwnDirectory
from dllint.engine.reading import read_source
from dllint.engine.results import FileResult
from dllint.engine.stored import finding_from_data, finding_to_data, notice_from_data, notice_to_data
from dllint.finding import Finding
from dllint.source.regular import read_regular
from dllint.source.workspace import Workspace

_STEM: Final = "results"
_SUFFIX: Final = ".sqlite"
#: The ends of the names of files that SQLite keeps beside a database.
_BESIDES: Final = ("-journal", "-wal", "-shm")
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS results (
    path TEXT, settings TEXT, tool TEXT, digest TEXT, used REAL, content BLOB, PRIMARY KEY (path, settings)
) WITHOUT ROWID
"""
_FORGET_AFTER: Final = 30 * 24 * 3600.0
_BROKEN: Final = (sqlite3.Error, OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError, zlib.error)


class Cache:
    """The results kept in a directory."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._tool = tool_version()
        self._presents: dict[Settings, Present] = {}
        self._used: list[tuple[str, str]] = []
        self._projects = Projects()

    @classmethod
    def open(cls, directory: Path) -> Cache | None:
        """The cache in a directory, which is made; ``None`` if it cannot be used.

        Raises:
            ForeignDirectoryError: there is a directory that dllint has not made.
        """
        try:
            return cls(_connected(OwnDirectory.open(directory).file(_STEM, _SUFFIX, _BESIDES)))
        except (sqlite3.Error, OSError):
            return None

    def get(self, path: Path, settings: Settings) -> FileResult | None:
        """The result for a file, if nothing it depends on has changed."""
        try:
            data = read_regular(path)
            row = self._connection.execute(
                "SELECT content FROM results WHERE path = ? AND settings = ? AND tool = ? AND digest = ?",
                (*self._key(path, settings), self._tool, digest_of(data)),
            ).fetchone()
            found = None if row is None else self._restored(path, data, settings, json.loads(zlib.decompress(row[0])))
        except _BROKEN:
            return None
        if found is not None:
            self._used.append(self._key(path, settings))
        return found

    def put(self, result: FileResult, settings: Settings) -> None:
        """Keep a result. One that an error of dllint spoiled, or whose dependencies are not known, is not kept."""
        if result.dependencies is None or any(not notice.expected for notice in result.notices):
            return
        content = {
            "dependencies": result.dependencies.to_data(),
            "findings": [finding_to_data(finding) for finding in result.findings],
            "notices": [notice_to_data(notice) for notice in result.notices],
            "followed": None if result.followed is None else result.followed.to_data(),
            "decided": result.decided,
        }
        packed = zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 1)
        row = (*self._key(result.path, settings), self._tool, result.digest, time.time(), packed)
        with suppress(sqlite3.Error):
            self._connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)", row)

    def close(self) -> None:
        """Write what was put, and forget what has not been asked for in a month."""
        now = time.time()
        with suppress(sqlite3.Error):
            marks = [(now, *key) for key in self._used]
            self._connection.executemany("UPDATE results SET used = ? WHERE path = ? AND settings = ?", marks)
            self._connection.execute("DELETE FROM results WHERE used < ?", (now - _FORGET_AFTER,))
            self._connection.commit()
            self._connection.close()

    def _key(self, path: Path, settings: Settings) -> tuple[str, str]:
        """The key of a result: the file, its settings and the files that say which releases it is for."""
        state = fingerprint(path, self._projects)
        name = str(path.absolute()).encode("utf-8", "backslashreplace").decode()  # names of files need not be text
        return name, digest_of(repr((str(path), settings, state)).encode())

    def _restored(self, path: Path, data: bytes, settings: Settings, content: dict[str, Any]) -> FileResult | None:
        if settings not in self._presents:
            self._presents[settings] = Present(Workspace(settings.source_roots))
        if not self._presents[settings].holds(Dependencies.from_data(content["dependencies"])):
            return None
        result = FileResult(path, [finding_from_data(f) for f in content["findings"]])
        result.notices = [notice_from_data(notice) for notice in content["notices"]]
        result.followed = None if content["followed"] is None else Followed.from_data(content["followed"])
        result.decided = tuple(content["decided"])
        source = read_source(path, data)
        if not isinstance(source, Finding):
            result.before = result.after = source.text
            result.encoding = source.encoding
            result.cells = {} if source.notebook is None else source.notebook.notebook.texts
        return result


def tool_version() -> str:
    """What a result depends on of dllint itself: its version and the state of its files, as people change them."""
    digest = blake2b(dllint.__version__.encode(), digest_size=16)
    root = os.path.dirname(os.path.abspath(dllint.__file__))
    for base, directories, names in os.walk(root):
        directories.sort()
        for name in sorted(names):
            if name.endswith((".py", ".json")):
                status = os.stat(os.path.join(base, name))
                digest.update(f"{name}{status.st_size}{status.st_mtime_ns}".encode())
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


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to the database; a file that is none is replaced."""
    try:
        return _prepared(path)
    except sqlite3.DatabaseError:
        path.unlink()
        return _prepared(path)


def _prepared(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=2.0)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(_TABLE)
    return connection
