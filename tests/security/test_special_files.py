"""Pipes, sockets, devices, terabytes: whatever stands in the place of a file, nothing hangs and the rest is checked."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dllint.source.regular import read_head, read_regular
from tests.security.confined import confined, told

GOOD = "import lib\nimport torch\n\ntorch.ones(3).view(7)\n"


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the address of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _terabyte(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**40)


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _linked(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


KINDS = {
    "pipe": _pipe, "socket": _socket, "endless device": _linked("/dev/zero"), "empty device": _linked("/dev/null"),
    "terminal": _linked("/dev/tty"), "kernel log": _linked("/proc/kmsg"), "endless memory": _linked("/proc/self/pagemap"),
    "terabyte": _terabyte, "loop": _loop, "dangling": _linked("nowhere"), "directory": Path.mkdir,
}  # fmt: skip
#: Read because of their names, or because another file leads there.
NAMES = (
    "bad.py", "lib.py", "__init__.py", "good_test.py", "book.ipynb", "model.onnx", "graph.pb", "graph.pbtxt", "program.pt2",
    ".gitignore", "requirements.txt", "uv.lock", "poetry.lock", "Pipfile.lock", "setup.py", "setup.cfg", "environment.yml",
    "README.md",
)  # fmt: skip
CONFIGURATION = ("pyproject.toml", "dllint.toml", ".dllint.toml")


@pytest.fixture
def project(tmp_path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "good.py").write_text(GOOD)
    return tmp_path


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_costs_only_itself(project, kind):
    for name in NAMES:
        KINDS[kind](project / name)
    for arguments in (("check", "."), ("check", "-n", "."), ("check", "-n", "good.py", *NAMES)):
        assert "DLT105" in told(confined(project, *arguments))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CONFIGURATION)
def test_a_configuration_that_is_no_file_is_none(project, name, kind):
    KINDS[kind](project / name)
    done = confined(project, "check", "-n", ".")
    if done.status == 2:  # a regular file that cannot be read may have held the wishes of the user
        assert kind in ("terabyte", "kernel log", "endless memory")
        assert name in told(done)
    else:
        assert "DLT105" in told(done)


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_user_names_is_no_file_either(project, kind):
    KINDS[kind](project / "odd")
    for arguments in (
        ("check", "--config", "odd"), ("check", "--ranges", "odd"), ("check", "--baseline", "odd"), ("ir", "odd"),
        ("explain", "odd:1"), ("check", "odd"), ("check", "--diff", "odd"), ("check", "--fix", "odd"),
    ):  # fmt: skip
        told(confined(project, *arguments))


def test_the_reader_refuses_by_kind_and_by_size(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert read_regular(file, 5) == b"12345"
    assert read_head(file, 3) == b"123"
    with pytest.raises(OSError, match="5 bytes are more than 4"):
        read_regular(file, 4)
    link = tmp_path / "link"
    link.symlink_to(file)
    assert read_regular(link) == b"12345"
    with pytest.raises(OSError, match="not a regular file"):
        read_regular(link, follow=False)


def test_a_file_that_becomes_a_pipe_between_two_looks_is_not_waited_for(tmp_path, monkeypatch):
    file, pipe = tmp_path / "file", tmp_path / "pipe"
    file.write_bytes(b"1")
    os.mkfifo(pipe)
    status = os.stat(file)
    monkeypatch.setattr(os, "stat", lambda *args, **options: status)
    begun = time.monotonic()
    with pytest.raises(OSError, match="not a regular file"):
        read_regular(pipe)
    assert time.monotonic() - begun < 5
