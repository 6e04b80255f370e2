"""A run or a server that is ended, in whichever way, leaves no process behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the table of processes")

#: A file that is analysed for a while.
LONG: Final = "import torch\nx = torch.ones(3)\n" + "".join(
    f"{'    ' * depth}for i{depth} in range(100):\n" for depth in range(3)
) + "            x = x + 1\n" * 8  # fmt: skip
SECONDS: Final = 40


def _parents() -> Iterator[tuple[int, int]]:
    """Every process that is not a zombie, and the one that has started it."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            yield int(path.parent.name), int(parent)


def children(pid: int) -> set[int]:
    """The processes that a process has started."""
    return {child for child, parent in _parents() if parent == pid}


def waited(condition: object) -> bool:
    """Whether something becomes true soon."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.1)
    return False


def heed_signals() -> None:
    """Let the signals do what they do, also where the tests run in the background of a shell, which ignores some."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A run in two processes that is at work."""
    for number in range(400):
        (tmp_path / f"m{number}.py").write_text(LONG)
    command = [sys.executable, "-P", "-m", "dllint", "check", "--no-cache", "--isolated", "-q", "-j", "2", "."]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=quiet, stderr=quiet, start_new_session=True, preexec_fn=heed_signals
    )
    try:
        assert waited(lambda: len(children(process.pid)) == 2)
        time.sleep(0.5)
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT", "SIGKILL"])
def test_processes_of_a_run_end_with_it(run: subprocess.Popen[bytes], name: str) -> None:
    workers, number = children(run.pid), getattr(signal, name)
    run.send_signal(number)
    assert run.wait(SECONDS) == (-number if name == "SIGKILL" else 128 + number)
    assert waited(lambda: not workers & {pid for pid, _ in _parents()})


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_processes_of_a_server_end_with_it(tmp_path: Path, name: str) -> None:
    command = [sys.executable, "-P", "-m", "dllint", "server"]
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    server = subprocess.Popen(
        command, cwd=tmp_path, stdin=pipe, stdout=quiet, stderr=quiet, start_new_session=True, preexec_fn=heed_signals
    )
    try:
        assert waited(lambda: children(server.pid))
        time.sleep(1)
        started = children(server.pid)
        server.send_signal(getattr(signal, name))
        server.wait(SECONDS)
        assert waited(lambda: not started & {pid for pid, _ in _parents()})
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.communicate()
