"""The process that branches run in: it imports the frameworks once and forks for each branch.

It reads JSON from standard input: the first line says what to import, every other line is a branch with its number, which is
begun at once. It writes the number of each branch that has ended to standard output, and behind it ``1`` if it had to be ended,
else ``0``.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Collection, Iterator
from time import monotonic
from typing import Any, Final, NamedTuple

from dllint.diagnose import watchdog
from dllint.diagnose.causes.registry import hypotheses
from dllint.diagnose.probes.probe import PROBES
from dllint.diagnose.probes.yardstick import YARDSTICKS
from dllint.diagnose.serial import from_json
from dllint.diagnose.symptoms.registry import checks
from dllint.diagnose.trials.branch import Branch, run_branch

#: Seconds between looks at what has ended.
_PAUSE: Final = 0.02
_CHUNK: Final = 1 << 16
#: Seconds after which a branch that was to end by itself, and to give up where it cannot, is ended.
_GRACE: Final = 2 * watchdog.GRACE


class _Running(NamedTuple):
    """The number of a branch that runs, and when it is to be ended (of :func:`time.monotonic`)."""

    number: int
    until: float


def serve(requests: int, answers: int) -> None:
    """Run branches until there are no more; both are descriptors."""
    lines = _lines(requests)
    _import(json.loads(next(line for line in lines if line is not None))["imports"])
    _limit_threads()
    running: dict[int, _Running] = {}
    for line in lines:
        if line is not None:
            number, branch = json.loads(line)
            until = monotonic() + branch["seconds"] + _GRACE
            if hasattr(os, "fork"):
                running[_forked(branch)] = _Running(number, until)
            else:
                _tell(answers, number, cut=_run_in_process(branch, until))
        for process in _ended(running):
            _tell(answers, running.pop(process).number)
        for process in [process for process, branch in running.items() if monotonic() > branch.until]:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            _tell(answers, running.pop(process).number, cut=True)


def _import(names: Collection[str]) -> None:
    """Import frameworks, and what branches need to observe them and to judge what they show."""
    for name in names:
        with contextlib.suppress(Exception):  # a library may be broken: the program that imports it tells
            importlib.import_module(name)
    for framework in {*PROBES, *YARDSTICKS} & set(names):
        for module, _ in (table[framework] for table in (PROBES, YARDSTICKS) if framework in table):
            importlib.import_module(module)
    checks()
    hypotheses()


def _lines(requests: int) -> Iterator[bytes | None]:
    """The lines of a descriptor as they come, and ``None`` in between, so that branches that have ended are noticed."""
    rest = b""
    while True:
        if hasattr(os, "fork") and not select.select([requests], [], [], _PAUSE)[0]:
            yield None
            continue
        got = os.read(requests, _CHUNK)
        if not got:
            return
        *lines, rest = (rest + got).split(b"\n")
        yield from lines


def _ended(running: Collection[int]) -> list[int]:
    """The processes that have ended."""
    return [process for process in running if os.waitpid(process, os.WNOHANG)[0]]


def _tell(answers: int, number: int, *, cut: bool = False) -> None:
    os.write(answers, b"%d %d\n" % (number, cut))


def _limit_threads() -> None:
    """Branches are small and run side by side."""
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


def _forked(branch: Any) -> int:
    process = os.fork()
    if not process:
        _run_alone(branch)
    return process


def _run_in_process(branch: Any, until: float) -> bool:
    """Where processes cannot fork. Whether it had to be ended."""
    program = "import json, sys; from dllint.diagnose.trials.nursery import run_quietly; run_quietly(json.load(sys.stdin))"
    command, left = [sys.executable, "-P", "-c", program], until - monotonic()
    try:
        subprocess.run(command, input=json.dumps(branch), text=True, check=False, timeout=left)
    except subprocess.TimeoutExpired:
        return True
    return False


def _run_alone(data: Any) -> None:
    try:
        run_quietly(data)
    finally:
        os._exit(0)


def run_quietly(data: Any) -> None:
    """Run a branch with nothing to read and nothing to print on."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    run_branch(from_json(Branch, data))


if __name__ == "__main__":
    # What an import prints is no answer.
    answers = os.dup(1)
    os.dup2(2, 1)
    serve(0, answers)
