"""Attacks of an outsider on what is written: caches, baselines, reports and fixes, also while they are being written."""

# ruff: noqa: E501 - what is sent or written stands on one line
from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.security.outsider import FAULTY, check, dllint, project, sound

UNIT = (
    "from keras.layers import Activation, Dense\nfrom keras.models import Sequential\n\nmodel = Sequential()\n"
    'model.add(Dense(1, input_dim=20))\nmodel.add(Activation("softmax"))\nmodel.compile(loss="binary_crossentropy", optimizer="rmsprop")\n'
)
FIX = ("check", "--no-cache", "--fix", "--unsafe-fixes")


def snapshot(folder: Path) -> dict[str, tuple[int, int, int, bytes]]:
    """All that is in a folder: kinds, links, times and contents."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[str(path.relative_to(folder))] = (
            status.st_mode,
            status.st_nlink,
            0 if path.is_dir() else status.st_mtime_ns,
            content,
        )
    return found


def secrets(tmp_path: Path) -> Path:
    """A folder of somebody's, outside of the project."""
    made = tmp_path / "secrets"
    made.mkdir()
    (made / "unit.py").write_text(UNIT)
    (made / "data.txt").write_text("mine\n")
    (made / "sub").mkdir()
    return made


def _linked(to: str) -> Callable[[Path, Path], None]:
    return lambda cache, other: cache.symlink_to(other / to)


def _database(cache: Path, _: Path) -> None:
    cache.mkdir()
    for name in ("cache.db", "results.sqlite", "cache.sqlite3", "index.db"):
        with sqlite3.connect(cache / name) as base:
            base.execute("create table results (key, value)")


def _marked(cache: Path, _: Path) -> None:
    cache.mkdir()
    (cache / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n")
    (cache / ".gitignore").write_text("*\n")


def _pipe(cache: Path, _: Path) -> None:
    os.mkfifo(cache)


CACHES: dict[str, Callable[[Path, Path], None]] = {
    "link_to_a_folder": _linked("sub"), "link_to_nothing": _linked("new"), "link_to_a_file": _linked("data.txt"), "database": _database,
    "marked": _marked, "pipe": _pipe, "file": lambda cache, _: cache.write_text("x"), "loop": lambda cache, _: cache.symlink_to(cache.name),
}  # fmt: skip


@pytest.mark.parametrize("name", CACHES)
def test_a_cache_of_the_checkout_is_left_alone(tmp_path: Path, name: str) -> None:
    """ "The cache directory is one that dllint has made on this machine, or found empty; any other is left alone"."""
    folder, other = project(tmp_path), secrets(tmp_path)
    CACHES[name](folder / ".dllint_cache", other)
    before, inside = snapshot(other), snapshot(folder)
    for arguments in ((), ()):
        sound(check(folder, *arguments, cached=True))
    dllint(folder, "clean")
    assert snapshot(other) == before
    assert snapshot(folder) == inside


@pytest.mark.parametrize("how", ["garbage", "shortened", "swapped", "linked", "removed", "grown", "folder", "locked"])
def test_a_cache_that_was_changed_hides_nothing(tmp_path: Path, how: str) -> None:
    """Whatever becomes of the files of the cache between two runs, the findings stay."""
    folder, other = project(tmp_path), secrets(tmp_path)
    shutil.copy(folder / "zz_victim.py", tmp_path / "victim")
    sound(check(folder, cached=True))
    files = [path for path in (folder / ".dllint_cache").rglob("*") if path.is_file()]
    assert files
    for path in files:
        content = path.read_bytes()
        if how == "garbage":
            path.write_bytes(random.Random(1).randbytes(len(content)))
        elif how == "shortened":
            path.write_bytes(content[: len(content) // 2])
        elif how == "swapped":
            path.write_bytes(content.replace(b"DLT105", b"DLT999").replace(b"zz_victim", b"zz_vxctim"))
        elif how == "linked":
            path.unlink()
            path.symlink_to(other / "data.txt")
        elif how == "grown":
            os.truncate(path, 2**40)
        elif how == "folder":
            path.unlink()
            (path / "x").mkdir(parents=True)
        else:
            path.unlink() if how == "removed" else path.chmod(0)
    before = snapshot(other)
    (folder / "a_new.py").write_text("x = 1\n")
    sound(check(folder, cached=True))
    sound(check(folder, cached=True))
    assert snapshot(other) == before


def test_a_cache_is_not_shared_with_what_merely_has_the_same_size_and_time(tmp_path: Path) -> None:
    """A file that was replaced by one of the same name, size and time is another file."""
    folder = project(tmp_path)
    victim = folder / "zz_victim.py"
    victim.write_text("import torch\n\ntorch.ones(7).view(7)\n")
    os.utime(victim, ns=(10**18, 10**18))
    assert check(folder, cached=True).findings == []
    victim.write_text(FAULTY)
    os.utime(victim, ns=(10**18, 10**18))
    sound(check(folder, cached=True))


def test_the_home_directory_keeps_what_it_has(tmp_path: Path) -> None:
    """ "Without options, dllint writes to its cache directory and to its own directory in your user cache, and nowhere else"."""
    folder, other = project(tmp_path), secrets(tmp_path)
    (folder / "dllint.toml").write_text('cache-dir = "kept"\nbaseline = "base.json"\n')
    (folder / "unit.py").write_text(UNIT)
    before = snapshot(other)
    inside = snapshot(folder)
    dllint(folder, "check")
    dllint(folder, "explain", "zz_victim.py:3")
    dllint(folder, "ir", "zz_victim.py")
    home = {path.relative_to(tmp_path / "home").parts[:2] for path in (tmp_path / "home").rglob("*")}
    assert home <= {(".cache",), (".cache", "dllint")}, home
    assert {name: value for name, value in snapshot(folder).items() if not name.startswith("kept")} == inside
    assert snapshot(other) == before


def test_clean_removes_nothing_that_was_put_in(tmp_path: Path) -> None:
    """ "`dllint clean` removes what dllint has made and nothing else"."""
    folder, other = project(tmp_path), secrets(tmp_path)
    sound(check(folder, cached=True))
    cache = folder / ".dllint_cache"
    (cache / "mine.txt").write_text("mine")
    (cache / "link").symlink_to(other)
    (cache / "sub").mkdir()
    (cache / "sub" / "deep.txt").write_text("mine")
    before = snapshot(other)
    dllint(folder, "clean")
    assert snapshot(other) == before
    assert (cache / "mine.txt").read_text() == "mine"
    assert (cache / "sub" / "deep.txt").read_text() == "mine"


@pytest.mark.parametrize(
    "where", ["/", "~", "$HOME", "..", "../secrets", "link", "link/new", ".git", ".git/new", "a/../../secrets/sub", ".", ""]
)
def test_a_configured_cache_or_baseline_stays_inside(tmp_path: Path, where: str) -> None:
    """ "A `cache-dir` in a configuration file lies in its project. So does a `baseline`"."""
    folder, other = project(tmp_path), secrets(tmp_path)
    (folder / ".git").mkdir()
    (folder / "link").symlink_to(other)
    (folder / "dllint.toml").write_text(f'cache-dir = "{where}"\nbaseline = "{where.rstrip("/")}/b.json"\n')
    before, inside = snapshot(other), snapshot(folder / ".git")
    run = dllint(folder, "check", "--update-baseline")
    assert b"Traceback" not in run.err
    assert snapshot(other) == before
    assert snapshot(folder / ".git") == inside
    assert not Path("/b.json").exists()
    assert {path.name for path in tmp_path.iterdir()} <= {"project", "secrets", "home"}


BASELINES = {
    "deep": '{"findings": ' + "[" * 100_000, "digits": '{"version": ' + "9" * 5000 + "}", "nan": '{"version": NaN, "findings": [Infinity]}',
    "list": "[[], {}, null]", "kinds": '{"version": 1, "findings": {"a": [1]}}', "empty": "", "python": "import torch\n",
}  # fmt: skip


def test_a_file_with_keys_of_somebody_is_no_baseline(tmp_path: Path) -> None:
    """ "A baseline takes the place of no file that is something else": one that holds more than a baseline is something else."""
    folder = project(tmp_path)
    text = '{"version": 1, "files": {}, "mine": ["years", "of", "work"]}'
    (folder / "base.json").write_text(text)
    dllint(folder, "check", "--no-cache", "--baseline", "base.json", "--update-baseline")
    assert "work" in (folder / "base.json").read_text()


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_that_is_none_is_named_and_kept(tmp_path: Path, name: str) -> None:
    """ "A baseline takes the place of no file that is something else"; one that cannot be read hides nothing."""
    folder = project(tmp_path)
    (folder / "dllint.toml").write_text('baseline = "base.json"\n')
    (folder / "base.json").write_text(BASELINES[name])
    run = dllint(folder, "check", "--no-cache")
    assert b"internal" not in run.err, run.err
    assert b"Traceback" not in run.err, run.err
    assert (run.status == 2 and b"base.json" in run.err) or b"zz_victim" in run.out
    dllint(folder, "check", "--no-cache", "--update-baseline")
    assert name == "empty" or (folder / "base.json").read_text() == BASELINES[name]


@pytest.mark.parametrize("option", ["--output-file", "--coverage-file", "--baseline"])
def test_reports_go_through_no_link(tmp_path: Path, option: str) -> None:
    """ "A report, or a baseline, that you want written goes through no link to a file"."""
    folder, other = project(tmp_path), secrets(tmp_path)
    for name, target in (
        ("one", other / "data.txt"),
        ("two", other / "new.txt"),
        ("three", folder / "four"),
        ("four", folder / "three"),
    ):
        (folder / name).symlink_to(target)
    before = snapshot(other)
    for name in ("one", "two", "three"):
        more = ("--update-baseline",) if option == "--baseline" else ()
        run = dllint(folder, "check", "--no-cache", option, name, *more)
        assert b"Traceback" not in run.err, run.err
        assert snapshot(other) == before


def test_fixes_go_through_no_linked_folder(tmp_path: Path) -> None:
    """ "`--fix` leaves alone and names links that lead out of the project": also a folder, a chain of links, and a link above."""
    folder, other = project(tmp_path), secrets(tmp_path)
    (folder / "out").symlink_to(other)
    (folder / "chain").symlink_to("out")
    (folder / "unit.py").symlink_to("out/unit.py")
    (folder / "up").symlink_to("..")
    os.link(other / "unit.py", folder / "hard.py")
    before = snapshot(other)
    for named in (
        [],
        ["out/unit.py"],
        ["chain/unit.py"],
        ["up/secrets/unit.py"],
        ["unit.py", "hard.py"],
        ["./out/../project/out/unit.py"],
    ):
        run = dllint(folder, *FIX, *named)
        assert b"Traceback" not in run.err, run.err
        if named != ["up/secrets/unit.py"] and named != ["./out/../project/out/unit.py"]:
            assert snapshot(other) == before, named
    (folder / "plain.py").write_text(UNIT)
    dllint(folder, *FIX)
    assert "sigmoid" in (folder / "plain.py").read_text()
    assert snapshot(other) == before


def test_a_notebook_with_keys_twice_keeps_them(tmp_path: Path) -> None:
    """Fixes change the cell's source and nothing else, also where JSON says a key twice or a number in an odd way."""
    folder = project(tmp_path)
    source = json.dumps(UNIT)
    text = (
        '{"cells": [{"cell_type": "code", "metadata": {"a": 1, "a": 2, "b": 1.0e5, "c": 1e999, "d": 0.10}, "source": ' + source + ', "outputs": []}],'
        '\n\t"metadata" : {"x":"\\u00e9\\ud83d\\ude00/\\/"}, "nbformat":4, "nbformat":4, "nbformat_minor":5, "big": 123456789012345678901234567890 }'
    )  # fmt: skip
    (folder / "n.ipynb").write_text(text)
    dllint(folder, *FIX)
    after = (folder / "n.ipynb").read_text()
    same = json.loads(after, object_pairs_hook=list), json.loads(text.replace("softmax", "sigmoid"), object_pairs_hook=list)
    assert after == text or same[0] == same[1], after


@pytest.mark.parametrize(
    "content",
    [b"\xef\xbb\xbf", b"# coding: latin-1\n# \xe9\n", b"#\x0c\r\n#\r\r\n", b"# coding: utf-8\n# \xe2\x80\xa8 \xc2\x85\n"],
    ids=ascii,
)
def test_fixes_change_no_other_byte(tmp_path: Path, content: bytes) -> None:
    """Files are written in their own encoding and with their own line ends."""
    folder = project(tmp_path)
    before = content + UNIT.encode().replace(b"\n", b"\r\n")
    (folder / "f.py").write_bytes(before)
    dllint(folder, *FIX)
    assert (folder / "f.py").read_bytes() == before.replace(b"softmax", b"sigmoid")


@pytest.mark.parametrize("race", ["link", "folder", "content", "remove", "read_only"])
def test_nothing_is_lost_to_who_changes_files_meanwhile(tmp_path: Path, race: str) -> None:
    """Links out of the project are left alone, also those that appear while dllint is at work."""
    folder, other = project(tmp_path), secrets(tmp_path)
    below = folder / "below"
    below.mkdir()
    for number in range(12):
        (below / f"f{number}.py").write_text(UNIT)
        (other / f"f{number}.py").write_text(UNIT)
    before = snapshot(other)
    stop = threading.Event()

    def meddle() -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            path, aside = below / f"f{turn % 12}.py", tmp_path / f"aside{turn % 12}"
            try:
                if race == "link":
                    aside.symlink_to(other / path.name)
                    aside.replace(path)
                elif race == "folder":
                    below.rename(tmp_path / "moved")
                    below.symlink_to(other)
                    stop.wait(0.0005)
                    below.unlink()
                    (tmp_path / "moved").rename(below)
                elif race == "content":
                    path.write_text(UNIT + f"# {turn}\n")
                elif race == "remove":
                    path.unlink(missing_ok=True)
                    path.write_text(UNIT)
                else:
                    path.chmod(0o444 if turn % 2 else 0o644)
            except OSError:
                pass
            stop.wait(0.0005)

    thread = threading.Thread(target=meddle)
    thread.start()
    try:
        run = dllint(folder, *FIX, "-j", "1")
    finally:
        stop.set()
        thread.join()
    assert b"Traceback" not in run.err, run.err[-2000:]
    assert b"internal" not in run.err, run.err[-2000:]
    assert b"zz_victim" in run.out
    assert snapshot(other) == before
