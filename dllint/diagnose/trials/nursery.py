"""The process that branches are run in: it imports the frameworks once, and forks for each branch.

It reads JSON from standard input: the first line says what to import and how many branches may run at once, every other line is
a list of branches. It writes the number (in its list) of each branch that has ended to standard output.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import IO, Any

from dllint.diagnose.serial import from_json
from dllint.diagnose.trials.branch import Branch, run_branch


def serve(requests: IO[str], answers: IO[str]) -> None:
    """Run branches until there are no more."""
    first = json.loads(requests.readline())
    for name in first["imports"]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    _limit_threads()
    for line in requests:
        _run_all(json.loads(line), first["workers"], answers)


def _run_all(branches: Sequence[Any], workers: int, answers: IO[str]) -> None:
    running: dict[int, int] = {}
    for number, branch in enumerate(branches):
        if len(running) >= workers:
            _await_one(running, answers)
        if hasattr(os, "fork"):
            running[_forked(branch)] = number
        else:
            _run_in_process(branch)
            print(number, file=answers, flush=True)
    while running:
        _await_one(running, answers)


def _limit_threads() -> None:
    """Branches are small and run side by side."""
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


def _await_one(running: dict[int, int], answers: IO[str]) -> None:
    process, _ = os.wait()
    number = running.pop(process, None)
    if number is not None:
        print(number, file=answers, flush=True)


def _forked(branch: Any) -> int:
    process = os.fork()
    if not process:
        _run_alone(branch)
    return process


def _run_in_process(branch: Any) -> None:
    """Where processes cannot fork."""
    program = "import json, sys; from dllint.diagnose.trials.nursery import run_quietly; run_quietly(json.load(sys.stdin))"
    subprocess.run([sys.executable, "-c", program], input=json.dumps(branch), text=True, check=False)


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
    serve(sys.stdin, sys.stdout)
