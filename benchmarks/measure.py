"""CPU seconds and peak memory of a child process, by the operating system's own accounting."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_LIMITED: Final = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]),) * 2)
os.execv(sys.argv[2], sys.argv[2:])
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """One finished process: user + system CPU seconds (its children included), peak resident memory in MiB, exit code."""

    cpu_s: float
    peak_mib: float
    code: int
    stdout: str
    stderr: str


def run(
    command: Sequence[str], cwd: str | None = None, variables: Mapping[str, str] | None = None, seconds: int | None = None
) -> Measured:
    """Run a command to its end and account for it; ``variables`` are added to the environment. Each of its processes is ended
    when it has taken so many ``seconds`` of CPU time.

    Compiled modules may be kept, as in an installed package.
    """
    if seconds is not None:
        command = [sys.executable, "-P", "-c", _LIMITED, str(seconds), *command]
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
