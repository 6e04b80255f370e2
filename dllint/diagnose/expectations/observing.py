"""Running a program for its first steps in a process of its own, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from dllint.diagnose.expectations.observed import FirstSteps, observed
from dllint.diagnose.record_file import NoRecordError, read_record

#: Of what the program printed, so many characters are shown if it fails.
_EXCERPT: Final = 4000
_GRACE: Final = 60.0


class NoTrainingError(AssertionError):
    """The program failed, or made no training step; the text has its own output."""


def first_steps(
    script: str | os.PathLike[str],
    *arguments: str,
    folder: str | os.PathLike[str] = ".",
    module: bool = False,
    steps: int = 20,
    seconds: float = 300.0,
) -> FirstSteps:
    """Run a training script (or, with ``module``, a module by its name) as ``python script arguments`` would in ``folder``, end
    it after so many optimizer steps or seconds, and tell what was measured. What it writes goes to a temporary folder.

    Raises:
        NoTrainingError: it failed, or made no step.
    """
    with tempfile.TemporaryDirectory(prefix="dllint-test-") as place:
        request = {
            "target": os.fspath(script),
            "arguments": list(arguments),
            "module": module,
            "folder": os.path.abspath(folder),
            "steps": steps,
            "seconds": seconds,
            "scratch": os.path.join(place, "scratch"),
        }
        output = run_worker(request, Path(place))
        try:
            run = read_record(Path(place, "scratch", "record.json"))
        except NoRecordError:
            raise NoTrainingError(f"the program could not be run\n{output[-_EXCERPT:]}") from None
    if not any(track.steps for track in run.tracks) and not run.faults:
        raise NoTrainingError(f"the program made no training step\n{output[-_EXCERPT:]}")
    return observed(run, steps)


def run_worker(request: dict[str, Any], place: Path) -> str:
    """Have a process of its own write the record; what the program printed."""
    wanted, log = place / "request.json", place / "output.txt"
    wanted.write_text(json.dumps(request), encoding="utf-8")
    command = [sys.executable, "-P", "-m", "dllint.diagnose.expectations.worker", str(wanted)]
    with log.open("wb") as stream:
        try:
            subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                timeout=request["seconds"] + _GRACE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            stream.write(b"\ndllint: the program did not end in time\n")
    return log.read_text(encoding="utf-8", errors="replace")
