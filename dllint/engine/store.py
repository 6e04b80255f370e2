"""The database of a cache directory: results, facts about files, and stamps by which a file need not be read again.

Paths stand in it once and are referred to by number. A database of another layout, or a damaged one, is emptied.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

#: Another number than that of a database says that it has other tables.
_LAYOUT: Final = 4
#: The columns of each table, and their key.
_TABLES: Final = {
    "paths": ("number INTEGER PRIMARY KEY, path TEXT UNIQUE", ""),
    "nodes": ("context TEXT, number INTEGER, facts TEXT, questions TEXT, PRIMARY KEY (context, number)", "WITHOUT ROWID"),
    "stamps": ("number INTEGER, kind INTEGER, stamp TEXT, state TEXT, PRIMARY KEY (number, kind)", "WITHOUT ROWID"),
    "results": (
        "path TEXT, settings TEXT, tool TEXT, context TEXT, digest TEXT, files BLOB, state TEXT, used REAL, content TEXT, "
        "followed BLOB, "
        "PRIMARY KEY (path, settings)",
        "",
    ),
    "trees": ("state TEXT PRIMARY KEY, used REAL, files BLOB", "WITHOUT ROWID"),
    "figures": ("run TEXT PRIMARY KEY, used REAL, content TEXT", "WITHOUT ROWID"),
}
_PROBES: Final = (
    "SELECT number, path FROM paths",
    "SELECT context, number, facts, questions FROM nodes",
    "SELECT number, kind, stamp, state FROM stamps",
    "SELECT path, settings, tool, context, digest, files, state, used, content, followed FROM results",
    "SELECT state, used, files FROM trees",
    "SELECT run, used, content FROM figures",
)
#: The most variables of one statement.
_AT_ONCE: Final = 500

Value: TypeAlias = str | int | float | bytes | None


class Store:
    """An open database. Every method raises sqlite3.Error if that is damaged."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._paths: dict[int, str] = {}
        self._numbers: dict[str, int] = {}

    @classmethod
    def open(cls, path: Path) -> Store:
        """The database in a file; one that is none, or has other tables, is made anew.

        Raises:
            sqlite3.Error, OSError: it cannot be used.
        """
        try:
            return cls(_prepared(path))
        except sqlite3.DatabaseError:
            path.unlink()
            return cls(_prepared(path))

    def rows(self, statement: str, given: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """What a query finds."""
        return self.connection.execute(statement, given).fetchall()

    def rows_of(self, statement: str, before: Sequence[Value], numbers: Collection[int]) -> Iterator[tuple[Any, ...]]:
        """What a query finds that ends with ``IN`` and a list, for all numbers of a list of any length."""
        todo = list(numbers)
        for start in range(0, len(todo), _AT_ONCE):
            part = todo[start : start + _AT_ONCE]
            yield from self.connection.execute(f"{statement} ({','.join('?' * len(part))})", (*before, *part))

    def write(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        """Execute a statement for each row."""
        self.connection.executemany(statement, rows)

    def paths(self, numbers: Collection[int]) -> dict[int, str]:
        """The paths with some numbers."""
        missing = [number for number in numbers if number not in self._paths]
        for number, path in self.rows_of("SELECT number, path FROM paths WHERE number IN", (), missing):
            self._paths[number] = path
            self._numbers[path] = number
        return self._paths

    def known_number(self, path: str) -> int | None:
        """The number of a path, if it has one. Names of files need not be text; the database holds no others."""
        if path not in self._numbers:
            if not is_text(path):
                return None
            found = self.rows("SELECT number FROM paths WHERE path = ?", (path,))
            if not found:
                return None
            self._numbers[path] = found[0][0]
            self._paths[found[0][0]] = path
        return self._numbers[path]

    def number(self, path: str) -> int:
        """The number of a path, which it gets if it has none."""
        known = self.known_number(path)
        if known is None:
            known = self.connection.execute("INSERT INTO paths (path) VALUES (?)", (path,)).lastrowid
            if known is None:
                raise sqlite3.DatabaseError("no number was given")
            self._numbers[path] = known
            self._paths[known] = path
        return known

    def empty(self) -> None:
        """Forget everything."""
        self._paths.clear()
        self._numbers.clear()
        self.connection.rollback()
        _empty(self.connection)

    def close(self) -> None:
        """Write what was changed, and close the database."""
        self.connection.commit()
        self.connection.close()


def is_text(path: str) -> bool:
    """Whether the database can hold a path."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _prepared(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=2.0)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = OFF")
    if connection.execute("PRAGMA user_version").fetchone()[0] != _LAYOUT or not _has_tables(connection):
        _empty(connection)
    return connection


def _has_tables(connection: sqlite3.Connection) -> bool:
    try:
        for probe in _PROBES:
            connection.execute(f"{probe} LIMIT 0")
    except sqlite3.OperationalError:
        return False
    return True


def _empty(connection: sqlite3.Connection) -> None:
    for name, (columns, end) in _TABLES.items():
        connection.execute(f"DROP TABLE IF EXISTS {name}")
        connection.execute(f"CREATE TABLE {name} ({columns}) {end}")
    connection.execute(f"PRAGMA user_version = {_LAYOUT}")
    connection.commit()
