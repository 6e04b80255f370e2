"""A process that has imported libraries and forks a child for each trial: ``python -m benchmarks.mutation.zygote LIBRARY …``.

It runs in a tree of its own. Each line of its input is a trial as JSON: ``file`` and its changed ``text`` (null: nothing is
changed), names of ``tests``, ``cpu_s`` and ``wall_s`` as limits of time, and whether it goes on after a failure (``all``). Each
line of its output is an ``Outcome``. The file is put back after each trial. Tests import the package afresh in the child.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Generator
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, Final

import pytest

#: Bytes of data that a trial may have.
_MEMORY: Final = 8 << 30


class Chosen:
    """Plugin of pytest: runs the given tests in the given order, and writes down which fail."""

    def __init__(self, names: list[str]) -> None:
        self._rank: Final = {name: rank for rank, name in enumerate(names)}
        self.failed: list[str] = []
        self.ran = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self._rank), key=lambda item: self._rank[item.nodeid])

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, None, None]:
        self.ran += 1
        yield

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def _run(trial: dict[str, Any], answer: int) -> None:
    """The child: runs the tests and writes an outcome into the pipe ``answer``."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (trial["cpu_s"], trial["cpu_s"] + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    chosen = Chosen(trial["tests"])
    modules = list(dict.fromkeys(name.partition("::")[0] for name in trial["tests"]))
    options = [
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--hypothesis-seed=0",
        "--continue-on-collection-errors",
        *(() if trial["all"] else ("-x",)),
    ]
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        status = int(pytest.main([*options, *modules], plugins=[chosen]))
        outcome = {"status": status, "failed": chosen.failed, "ran": chosen.ran}
        os.write(answer, json.dumps(outcome).encode())


def _forked(trial: dict[str, Any]) -> dict[str, Any]:
    """The outcome of a child, with the status None if it was ended for its time or has broken down."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            _run(trial, writing)
        finally:
            os._exit(0)
    os.close(writing)
    end = time.monotonic() + trial["wall_s"]
    status = None
    while status is None and time.monotonic() < end:
        done, code = os.waitpid(child, os.WNOHANG)
        status = code if done else None
        time.sleep(0 if done else 0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if status is None:
        os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        os.set_blocking(pipe.fileno(), False)
        text = pipe.read()
    if text:
        return dict(json.loads(text))
    ended = status is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGXCPU, signal.SIGKILL})
    return {"status": None, "failed": [], "ran": 0, "timed_out": ended}


def _tried(trial: dict[str, Any]) -> dict[str, Any]:
    if trial["text"] is None:
        return _forked(trial)
    path = Path(trial["file"])
    before = path.read_bytes()
    Path(cache_from_source(str(path))).unlink(missing_ok=True)
    try:
        path.write_text(trial["text"], encoding="utf-8", newline="")
        return _forked(trial)
    finally:
        path.write_bytes(before)


def main() -> None:
    """Try what comes in until there is no more."""
    sys.dont_write_bytecode = True
    outcomes = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    os.environ.setdefault("KERAS_BACKEND", "torch")
    for name in sys.argv[1:]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for line in sys.stdin:
        began = time.monotonic()
        print(
            json.dumps({**_tried(json.loads(line)), "seconds": round(time.monotonic() - began, 2)}), file=outcomes, flush=True
        )


if __name__ == "__main__":
    main()
