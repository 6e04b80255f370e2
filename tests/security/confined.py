"""Running a command line in a process of its own that has little time and memory: what hangs or swells is ended."""

from __future__ import annotations

import atexit
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from dllint.cli.main import run

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Outcome:
    """How a command line ended: its status, or the negative number of the signal that ended it, and what it printed."""

    status: int
    out: str
    err: str


def _warm() -> None:
    """Import what most commands need, so that each process does not have to."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.py")
        path.write_text("import torch\n\ntorch.ones(3).view(7)\n")
        assert run(["check", "-n", "--silent", str(path)]) == 1


def forked(folder: Path, *arguments: str, seconds: int = 60, memory: int = 2 * 2**30) -> Outcome:
    """Run ``dllint`` in a folder, in a fork of this process; ``memory`` are the bytes that it may use beside what this process
    has."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        sys.stdout.flush()
        process = os.fork()
        if not process:
            _run(folder, arguments, seconds, memory, out.fileno(), err.fileno())
        _, status = os.waitpid(process, 0)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "surrogateescape"))
        return Outcome(os.waitstatus_to_exitcode(status), *texts)


@cache
def _server() -> subprocess.Popen[str]:
    """A small process that is forked in place of that of the tests, which has frameworks loaded."""
    command = [sys.executable, "-P", "-m", "tests.security.confined"]
    known = {**os.environ, "PYTHONPATH": str(ROOT)}
    started = subprocess.Popen(command, env=known, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(started.kill)
    return started


def confined(folder: Path, *arguments: str, seconds: int = 60, memory: int = 2 * 2**30) -> Outcome:
    """Run ``dllint`` in a folder with this process's environment; ``memory`` are the bytes that it may use beside its code."""
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    request = {"folder": str(folder), "arguments": arguments, "seconds": seconds, "memory": memory}
    print(json.dumps({**request, "environment": dict(os.environ)}), file=server.stdin, flush=True)
    return Outcome(**json.loads(server.stdout.readline()))


def _serve() -> None:
    """Answer each request on standard input with a line: the outcome."""
    _warm()
    for line in sys.stdin:
        request = json.loads(line)
        os.environ.clear()
        os.environ.update(request["environment"])
        limits = {name: request[name] for name in ("seconds", "memory")}
        print(json.dumps(asdict(forked(Path(request["folder"]), *request["arguments"], **limits))), flush=True)


def _run(folder: Path, arguments: tuple[str, ...], seconds: int, memory: int, out: int, err: int) -> None:
    status = 99
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)
        most = _address_space() + memory
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
        os.chdir(folder)
        status = run(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _address_space() -> int:
    """What the process has already, in bytes: it may be forked from one that has frameworks loaded."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def told(outcome: Outcome) -> str:
    """All that was printed; fails if dllint did not end by itself, or shows a fault of its own."""
    assert outcome.status in (0, 1, 2), outcome
    assert "internal-error" not in outcome.err + outcome.out, outcome
    assert "Traceback" not in outcome.err, outcome
    return outcome.out + outcome.err


if __name__ == "__main__":
    _serve()
