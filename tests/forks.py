"""Fixtures that run command lines in forks of processes which have frameworks imported (``tests/fork_server.py``).

A framework takes seconds to import; the processes of the tests share one server for each.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TextIO

import pytest

ROOT: Final = Path(__file__).parents[1]
#: What is imported before programs run, by what they need.
MODULES: Final = {
    "torch": ["torch", "torch._dynamo", "torch.utils.data"],
    "keras-torch": ["torch", "keras", "tensorflow"],
    "keras-tensorflow": ["tensorflow", "keras"],
    # Keras imports TensorFlow where it sets random seeds.
    "keras-jax": ["jax", "keras", "tensorflow"],
}
#: A program on JAX spends most of its time in compiling small functions that others have, too.
COMPILED_ONCE: Final = {"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0", "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1"}


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], TextIO]]:
    """A connection to a server of forks for a framework, which all processes of the tests share; it is started at its first
    use."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    connections: dict[str, TextIO] = {}

    def server(framework: str) -> TextIO:
        if framework not in connections:
            missing = [name for name in MODULES[framework] if find_spec(name) is None]
            if missing:
                pytest.skip(f"needs {missing[0]}")
            connections[framework] = _connection(folder, framework).makefile("rw", encoding="utf-8")
        return connections[framework]

    yield server
    for stream in connections.values():
        # A fork of the test process may hold a copy of this socket open: the server is told to end, not left to see it close.
        print("end", file=stream, flush=True)
        stream.close()


def _connection(folder: Path, framework: str) -> socket.socket:
    path = folder / f"{framework}.socket"
    with open(folder / f"{framework}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(path))
        except OSError:
            path.unlink(missing_ok=True)
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(str(path))
                listening.listen()
                _start_server(listening, framework, folder)
            connection.connect(str(path))
    return connection


def _start_server(listening: socket.socket, framework: str, folder: Path) -> None:
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    own = {"KERAS_BACKEND": framework.rpartition("-")[2], "TF_CPP_MIN_LOG_LEVEL": "3"}
    if framework == "keras-jax":
        own |= {"JAX_COMPILATION_CACHE_DIR": str(folder / "compiled"), **COMPILED_ONCE}
    descriptor = listening.fileno()
    subprocess.Popen(
        [sys.executable, "-m", "tests.fork_server", str(descriptor), *MODULES[framework]],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[descriptor],
        env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1", **own},
    )


@dataclass(frozen=True)
class _Forking:
    servers: Callable[[str], TextIO]
    framework: str
    #: Where standard output and error are kept.
    folder: Path

    def _statuses(self, **request: object) -> list[int]:
        server = self.servers(self.framework)
        files = {"out": str(self.folder / "out.txt"), "err": str(self.folder / "err.txt")}
        print(json.dumps({**request, **files}), file=server, flush=True)
        return [int(status) for status in server.readline().split()]

    def _texts(self, name: str, ranks: int = 1) -> list[str]:
        ends = ["", *(f".{rank}" for rank in range(1, ranks))]
        return [(self.folder / f"{name}.txt{end}").read_text(encoding="utf-8") for end in ends]


class RunInFork(_Forking):
    """Runs ``dllint`` (or ``python``, if ``plain``) with arguments in a folder: exit status, standard output and error.

    What standard input has is ``given``.
    """

    def __call__(self, arguments: list[str], folder: Path, *, plain: bool = False, given: str = "") -> tuple[int, str, str]:
        stdin = self.folder / "in.txt"
        stdin.write_text(given, encoding="utf-8")
        (status,) = self._statuses(arguments=arguments, folder=str(folder), plain=plain, given=str(stdin))
        return status, self._texts("out")[0], self._texts("err")[0]


class RunRanks(_Forking):
    """Runs ``dllint`` in several processes as a launcher would: the exit statuses, and standard output and error of each."""

    def __call__(self, arguments: list[str], folder: Path, ranks: int = 2) -> tuple[list[int], list[str], list[str]]:
        statuses = self._statuses(arguments=arguments, folder=str(folder), plain=False, given=os.devnull, ranks=ranks)
        return statuses, self._texts("out", ranks), self._texts("err", ranks)


@pytest.fixture
def framework() -> str:
    """What programs need; tests of other frameworks override it."""
    return "torch"


@pytest.fixture
def run_in_fork(tmp_path: Path, servers: Callable[[str], TextIO], framework: str) -> RunInFork:
    return RunInFork(servers, framework, tmp_path)


@pytest.fixture
def run_ranks(tmp_path: Path, servers: Callable[[str], TextIO], framework: str) -> RunRanks:
    return RunRanks(servers, framework, tmp_path)
