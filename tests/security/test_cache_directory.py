"""Nothing is written or removed outside of the cache directory that dllint has made, nor through what lies there."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from dllint.engine.own_directory import ForeignDirectoryError, OwnDirectory
from tests.security.confined import confined, told

FAULTY = "import torch\n\ntorch.ones(3).view(7)\n"
TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# This file marks a cache directory of dllint: 00\n"
NAMES = (
    "CACHEDIR.TAG", ".gitignore", "results.sqlite", "results.sqlite-journal", "results.sqlite-wal", "results-00.sqlite",
)  # fmt: skip


@pytest.fixture
def outside(tmp_path) -> Path:
    """A directory of the user beside the checkout, with files in it, one a database."""
    folder = tmp_path / "user"
    folder.mkdir()
    (folder / "precious").write_text("precious")
    with sqlite3.connect(folder / "database") as connection:
        connection.execute("CREATE TABLE kept (value TEXT)")
    connection.close()
    return folder


@pytest.fixture
def checkout(tmp_path) -> Path:
    folder = tmp_path / "checkout"
    (folder / ".git").mkdir(parents=True)
    (folder / "a.py").write_text(FAULTY)
    return folder


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """All that is in a directory."""
    found = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = Path(base, name)
            content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
            found[str(path)] = (path.lstat().st_mode, content)
    return found


def linked(target: str) -> Callable[[Path, Path], None]:
    return lambda path, outside: path.symlink_to(outside / target)


PLANTED = {
    "link to a file": linked("precious"), "link to a database": linked("database"), "link to nothing": linked("made"),
    "link to a directory": linked("."), "hard link": lambda path, outside: os.link(outside / "precious", path),
    "tag": lambda path, outside: path.write_text(TAG), "directory": lambda path, outside: path.mkdir(),
    "pipe": lambda path, outside: os.mkfifo(path),
}  # fmt: skip


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("kind", PLANTED)
@pytest.mark.parametrize("name", NAMES)
def test_what_was_checked_in_as_the_cache_is_left_alone(checkout, outside, name, kind):
    cache = checkout / ".dllint_cache"
    cache.mkdir()
    PLANTED[kind](cache / name, outside)
    if name != "CACHEDIR.TAG":
        (cache / "CACHEDIR.TAG").write_text(TAG)
    before = state(outside), state(checkout)
    for arguments in (("check", "."), ("check", "."), ("clean",)):
        done = told(confined(checkout, *arguments))
        assert ("DLT105" in done) == (arguments[0] == "check")
        assert "was not made by dllint" in done or "no cache of dllint" in done
    assert (state(outside), state(checkout)) == before


@pytest.mark.parametrize("named", [".", "pkg", ".git", "pkg/../pkg/", "link", "a.py", "missing/below", "dangling"])
@pytest.mark.parametrize("how", ["configuration", "command line", "environment"])
def test_directories_that_are_there_are_not_changed(checkout, outside, named, how, monkeypatch):
    (checkout / "pkg").mkdir()
    (checkout / "pkg" / ".gitignore").write_text("secrets.env\n")
    (checkout / ".gitignore").write_text("secrets.env\n")
    (checkout / "link").symlink_to("pkg")
    (checkout / "dangling").symlink_to(outside / "made")
    if how == "configuration":
        (checkout / "dllint.toml").write_text(f"cache-dir = '{named}'\n")
    elif how == "environment":
        monkeypatch.setenv("DLLINT_CACHE_DIR", named)
    options = ("--cache-dir", named) if how == "command line" else ()
    before = state(checkout), state(outside)
    assert "DLT105" in told(confined(checkout, "check", *options, "."))
    told(confined(checkout, "clean", *options))
    assert (state(checkout), state(outside)) == before


def test_clean_removes_what_dllint_has_made_and_nothing_else(checkout):
    told(confined(checkout, "check", "."))
    cache = checkout / ".dllint_cache"
    assert {path.name.partition("-")[0] for path in cache.iterdir()} >= {"CACHEDIR.TAG", ".gitignore", "results"}
    (cache / "results.sqlite").write_text("mine")
    (cache / ".gitignore").write_text("mine\n")
    assert "Removed" in told(confined(checkout, "clean"))
    assert {path.name for path in cache.iterdir()} == {"results.sqlite", ".gitignore"}
    assert (cache / "results.sqlite").read_text() == "mine"


def test_an_empty_directory_may_be_used(checkout, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "was not made" not in told(confined(checkout, "check", "--cache-dir", str(empty), "."))
    assert list(empty.glob("results-*.sqlite"))


def test_a_copy_is_not_what_dllint_has_made(checkout):
    """Who publishes a cache directory gives nobody a mark that holds elsewhere."""
    told(confined(checkout, "check", "."))
    shutil.copytree(checkout / ".dllint_cache", checkout / "copy")
    assert OwnDirectory.known(checkout / ".dllint_cache") is not None
    assert OwnDirectory.known(checkout / "copy") is None
    with pytest.raises(ForeignDirectoryError):
        OwnDirectory.open(checkout / "copy")


@pytest.mark.parametrize("kind", ["link to a file", "link to nothing", "hard link", "directory", "pipe"])
@pytest.mark.parametrize("end", ["", "-journal", "-wal", "-shm"])
def test_a_file_of_the_cache_that_was_replaced_is_not_used(checkout, outside, kind, end):
    """Whoever knows the names of the files, which depend on a secret of the user, gets nothing written elsewhere either."""
    told(confined(checkout, "check", "."))
    (database,) = (checkout / ".dllint_cache").glob("results-*.sqlite")
    for path in database.parent.glob("results-*"):
        path.unlink()
    PLANTED[kind](database.with_name(f"{database.name}{end}"), outside)
    before = state(outside)
    assert "DLT105" in told(confined(checkout, "check", "."))
    assert state(outside) == before


def test_others_cannot_read_the_secret(tmp_path, monkeypatch, checkout):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    told(confined(checkout, "check", "."))
    (secret,) = (tmp_path / "own").rglob("secret")
    assert secret.stat().st_mode & 0o077 == 0
    assert len(secret.read_bytes()) == 32
    assert secret.read_bytes().hex() not in str(state(checkout))


@pytest.mark.parametrize("damage", [b"", b"x" * 31, b"x" * 1_000_000])
def test_without_a_secret_nothing_is_kept(tmp_path, monkeypatch, checkout, damage):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    (tmp_path / "own" / "dllint").mkdir(parents=True)
    (tmp_path / "own" / "dllint" / "secret").write_bytes(damage)
    assert "DLT105" in told(confined(checkout, "check", "."))
    assert not list((checkout / ".dllint_cache").iterdir())
