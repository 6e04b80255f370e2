"""CPU seconds and peak memory of a child process, by the operating system's own accounting."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """One finished process: user + system CPU seconds (its children included), peak resident memory in MiB, exit code."""

    cpu_s: float
    peak_mib: float
    code: int
    stdout: str
    stderr: str


def run(command: Sequence[str], cwd: str | None = None, variables: Mapping[str, str] | None = None) -> Measured:
    """Run a command to its end and account for it; ``variables`` are added to the environment.

    Compiled modules may be kept, as in an installed package.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | dict(
        variables or {}
    )
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, cwd=cwd, env=environment)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return Measured(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, child.returncode, out.read(), err.read())
