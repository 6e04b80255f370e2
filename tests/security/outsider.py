"""What the attacks of an outsider share: a run that is measured, and a file whose finding must never be lost."""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
#: A file whose only finding is on line 3.
FAULTY = "import torch\n\ntorch.ones(3).view(7)\n"
BUDGET_SECONDS = 20.0
BUDGET_KIB = 2 * 1024 * 1024
#: What an error of dllint itself looks like.
BROKEN = ("Traceback (most recent call last)", "internal-error", "RecursionError", "ended by an error of dllint")


#: How much longer a run may take where other processes use the machine; what it costs is measured by CPU time.
_BUSY = 10


@dataclass
class Run:
    """What a run has printed and cost."""

    status: int
    out: bytes
    err: bytes
    seconds: float
    kib: int
    findings: list[dict[str, Any]] = field(default_factory=list)

    def text(self) -> str:
        """All that was printed."""
        return (self.out + self.err).decode("utf-8", "replace")

    def of(self, name: str) -> list[dict[str, Any]]:
        """The findings of the files that end in a name."""
        return [each for each in self.findings if each["filename"].endswith(name)]


def environment(home: Path) -> dict[str, str]:
    """An environment whose home and caches lie in a folder."""
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "GITHUB_", "DLLINT"))}
    return kept | {"HOME": str(home), "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "TERM": "dumb", "NO_COLOR": "1"}


@functools.cache
def _server() -> subprocess.Popen[str]:
    """A process whose forks run dllint, in no folder of anybody."""
    command = [sys.executable, "-P", "-m", "tests.security.command_server"]
    with tempfile.TemporaryDirectory() as home:
        started = subprocess.Popen(
            command, cwd=home, env=environment(Path(home)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        atexit.register(started.kill)
        return started


def dllint(folder: Path, *arguments: str | bytes, stdin: bytes = b"", timeout: float = 60) -> Run:
    """Run dllint in a folder, with the home directory beside it, and measure it. ``timeout``: seconds of wall time that it gets
    on a machine that nobody else uses."""
    with contextlib.ExitStack() as stack:
        given, out, err = files = [stack.enter_context(tempfile.NamedTemporaryFile()) for _ in range(3)]
        given.write(stdin)
        given.flush()
        request = {
            "arguments": [os.fsdecode(argument) for argument in arguments],
            "folder": str(folder),
            "environment": environment(folder.parent / "home"),
            "files": [file.name for file in files],
            "seconds": _BUSY * timeout,
        }
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        print(json.dumps(request), file=server.stdin, flush=True)
        status, seconds, kib = server.stdout.readline().split()
        return Run(int(status), out.read(), err.read(), float(seconds), int(kib))


def check(folder: Path, *arguments: str | bytes, cached: bool = False, timeout: float = 60) -> Run:
    """Check a folder and read its findings."""
    kept = () if cached else ("--no-cache",)
    run = dllint(folder, "check", "--output-format", "json", "-j", "1", *kept, *arguments, timeout=timeout)
    try:
        run.findings = json.loads(run.out) if run.out.strip() else []
    except ValueError as error:
        raise AssertionError(f"no JSON: {error}: {run.text()[:1000]}") from None
    return run


def project(folder: Path) -> Path:
    """A project with one faulty file, last in the order of names."""
    made = folder / "project"
    made.mkdir()
    (made / "zz_victim.py").write_text(FAULTY)
    return made


def sound(run: Run, *, victim: bool = True, statuses: tuple[int, ...] = (0, 1)) -> None:
    """Nothing broke, the budget was kept, and the faulty file's finding is there."""
    shown = run.text()[-3000:]
    assert not any(word in run.text() for word in BROKEN), shown
    assert run.status in statuses, (run.status, shown)
    assert run.seconds < BUDGET_SECONDS, run.seconds
    assert run.kib < BUDGET_KIB, run.kib
    if victim:
        assert [each["location"]["row"] for each in run.of("zz_victim.py")] == [3], shown
