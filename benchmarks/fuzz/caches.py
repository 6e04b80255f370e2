"""Caches that are damaged, old, or another's: what is found is what is found without."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import zlib
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.fuzz.cases import Finding, Looked, run_cases
from benchmarks.fuzz.command import told
from benchmarks.fuzz.odd_json import damaged, mutated
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report

_FILES: Final = {
    "sizes.py": "WIDTH = {width}\n",
    "layers.py": (
        "import torch\nfrom torch import nn\nfrom sizes import WIDTH\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.fc = nn.Linear(WIDTH, 3)\n\n"
        "    def forward(self, x):\n        return self.fc(x)\n"
    ),
    "use.py": "import torch\nfrom layers import Net\n\nNet()(torch.zeros(2, {given}))\n",
    "other.py": "import torch\n\ntorch.ones(3).view({size})\n",
    "broken.py": "import torch\nx = (\n",
}
_CACHE: Final = ".dllint_cache"
#: Table, column, and whether that is no JSON.
_COLUMNS: Final = (
    ("results", "content", False), ("results", "followed", False), ("results", "closure", True), ("results", "digest", True),
    ("results", "tool", True), ("results", "context", True), ("nodes", "facts", False), ("nodes", "questions", False),
    ("stamps", "stamp", True), ("figures", "content", False), ("paths", "path", True),
)  # fmt: skip


def run(options: Options) -> Report:
    """Damage ``count`` caches."""
    return run_cases("caches", options, look, "caches")


def look(seed: str) -> Looked:
    """What is wrong with the check beside one."""
    random = Random(f"cache {seed}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".git").mkdir()
        _write(folder, random)
        first = told(folder, "check", "--output-format", "concise", ".")
        if first.fault or not (folder / _CACHE).is_dir():
            return Looked({}, (Finding("cache", f"none is made: {first}"),))
        done = []
        for _ in range(random.randrange(1, 4)):
            done.append(random.choice(_WAYS)(folder, random))
            if random.random() < 0.3:
                _write(folder, random)
        beside = told(folder, "check", "--output-format", "concise", ".")
        without = told(folder, "check", "-n", "--output-format", "concise", ".")
        again = told(folder, "check", "--output-format", "concise", ".")
    wrong = [one.fault for one in (beside, without, again) if one.fault]
    wrong += [
        f"{done}\n{one}\nwithout a cache: {without}"
        for one in (beside, again)
        if (one.out, one.status) != (without.out, without.status)
    ]
    return Looked({}, tuple(Finding("cache", text, repr(done).encode(), ".txt") for text in wrong[:1]))


def _write(folder: Path, random: Random) -> None:
    numbers = {"width": random.choice((4, 5)), "given": random.choice((4, 5)), "size": random.choice((3, 7))}
    for name, text in _FILES.items():
        if random.random() < 0.7 or not (folder / name).exists():
            (folder / name).write_text(text.format(**numbers))


def _entries(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / _CACHE).rglob("*") if path.is_file() and not path.is_symlink())


def _bytes(folder: Path, random: Random) -> str:
    path = random.choice(_entries(folder) or [folder / "sizes.py"])
    if path.parent == folder:
        return "nothing"
    path.write_bytes(damaged(path.read_bytes(), random))
    return f"bytes of {path.name}"


def _rows(folder: Path, random: Random) -> str:
    """What is stored is another value, of another version, or another file's."""
    base = next((path for path in _entries(folder) if path.suffix == ".sqlite"), None)
    if base is None:
        return "no database"
    try:
        return _row_changed(base, random)
    except (sqlite3.Error, zlib.error, ValueError, TypeError) as error:  # it was damaged before
        return f"{type(error).__name__}: {error}"


def _row_changed(base: Path, random: Random) -> str:
    connection = sqlite3.connect(base)
    try:
        table, column, is_key = random.choice(_COLUMNS)
        rows = connection.execute(f"SELECT {column} FROM {table}").fetchall()
        if not rows:
            return "no rows"
        way = random.choice(("content", "kind", "lost", "table", "schema"))
        value: Any = random.choice(rows)[0]
        if way == "content" and not is_key:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (_broken(value, random), value))
        elif way in ("content", "kind"):
            odd = random.choice((None, 3, "text", b"", b"x" * 50, zlib.compress(b"[]"), zlib.compress(b"null"), "[]", "[[]]"))
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (odd,))
        elif way == "lost":
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (value,))
        else:
            statement = f"DROP TABLE {table}" if way == "table" else f"ALTER TABLE {table} RENAME COLUMN {column} TO other"
            connection.execute(statement)
        connection.commit()
        return f"{way} of {table}.{column}"
    finally:
        connection.close()


def _broken(value: Any, random: Random) -> Any:
    """Stored data that is wrong in its form. What only says something else is believed: who writes there may."""
    if isinstance(value, bytes):
        data = json.loads(zlib.decompress(value))
        return zlib.compress(json.dumps([mutated(data, random, random.randrange(1, 4)), None]).encode("utf-8", "surrogatepass"))
    return json.dumps([mutated(json.loads(value), random, random.randrange(1, 4)), None])


def _files(folder: Path, random: Random) -> str:
    """Files of the cache are lost, links, directories, another's."""
    entries = _entries(folder)
    if not entries:
        return "nothing"
    path = random.choice(entries)
    way = random.choice(("lost", "empty", "directory", "link", "hard link", "pipe", "all lost", "copied", "mode"))
    if way == "mode":
        path.chmod(random.choice((0o000, 0o444, 0o777)))
        return f"{way} of {path.name}"
    if way == "all lost":
        shutil.rmtree(folder / _CACHE)
        return way
    if way == "copied":
        shutil.copytree(folder / _CACHE, folder / "copy")
        shutil.rmtree(folder / _CACHE)
        (folder / "copy").rename(folder / _CACHE)
        return way
    content = path.read_bytes()
    path.unlink()
    if way == "empty":
        path.touch()
    elif way == "directory":
        path.mkdir()
    elif way == "pipe":
        os.mkfifo(path)
    elif way in ("link", "hard link"):
        (folder / "elsewhere").unlink(missing_ok=True)
        (folder / "elsewhere").write_bytes(content)
        (path.symlink_to if way == "link" else path.hardlink_to)(folder / "elsewhere")
    return f"{way}: {path.name}"


_WAYS: Final = (_bytes, _rows, _rows, _files)
