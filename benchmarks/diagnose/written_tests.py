"""Do tests that ``--write-tests`` writes pass on sound programs, with another seed too, and fail on faulty ones?

    python -m benchmarks.diagnose.written_tests torch [part of a program's name]

Each program is run for its first steps in a fork of this process, which has imported the framework (``torch`` or ``keras``, on
the backend of KERAS_BACKEND). From a sound program the tests are written with seed 0 and run with seeds 0 and 1; from a faulty
one they are written and run with seed 0.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from dllint.diagnose.expectations import worker
from dllint.diagnose.expectations.observed import FirstSteps, observed
from dllint.diagnose.expectations.test_file import STEPS, test_file
from dllint.diagnose.launch import Program
from dllint.diagnose.record_file import NoRecordError, read_record

_PROGRAMS: Final = Path(__file__).parent / "programs"
_SECONDS: Final = 200


def main(framework: str, part: str = "") -> None:
    """Print a line per program, and how many did as they should."""
    importlib.import_module(framework)
    counts = {"healthy": [0, 0], "faulty": [0, 0]}
    for kind in ("healthy", "faulty"):
        for path in sorted((_PROGRAMS / kind).glob(f"{framework}_*.py")):
            if part not in path.stem:
                continue
            failures = _failures(path, seeds=(0, 1) if kind == "healthy" else (0,))
            if failures is None:
                print(f"?    {kind} {path.stem}: no training step in the first {_SECONDS} s", flush=True)
                continue
            right = (not failures) == (kind == "healthy")
            counts[kind][0] += right
            counts[kind][1] += 1
            print(f"{'ok  ' if right else 'BAD '} {kind} {path.stem}: {', '.join(failures) or 'all pass'}", flush=True)
    for (right, total), said in zip(counts.values(), ("pass on sound", "fail on faulty"), strict=True):
        print(f"tests {said} programs: {right} of {total}")


def _failures(path: Path, seeds: tuple[int, ...]) -> list[str] | None:
    """The tests that fail, with their messages; ``None`` if the program could not be observed."""
    runs = [_first_steps(path, seed) for seed in seeds]
    if runs[0] is None:
        return None
    text = test_file(runs[0], Program(path.name, ("0",)), path.parent, path).text
    return [
        f"{told} (seed {seed})"
        for seed, run in zip(seeds, runs, strict=True)
        if run is not None
        for told in _failing(text, run)
    ]


def _first_steps(path: Path, seed: int) -> FirstSteps | None:
    with tempfile.TemporaryDirectory(prefix="dllint-measured-") as place:
        request = {
            "target": str(path),
            "arguments": [str(seed)],
            "module": False,
            "folder": place,
            "steps": STEPS,
            "seconds": _SECONDS,
            "scratch": os.path.join(place, "scratch"),
        }
        child = os.fork()
        if not child:
            _observe(request)
        os.waitpid(child, 0)
        try:
            run = read_record(Path(place, "scratch", worker.RECORD))
        except NoRecordError:
            return None
    return observed(run, STEPS) if run.tracks or run.faults else None


def _observe(request: dict[str, Any]) -> None:
    signal.alarm(_SECONDS + 60)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)
    worker.observe(request)
    os._exit(0)


def _failing(text: str, run: FirstSteps) -> Iterator[str]:
    """Runs the tests of a file on what was measured."""
    names: dict[str, Any] = {"__file__": "test_train.py"}
    exec(compile(text, "test_train.py", "exec"), names)
    for name, function in names.items():
        if not name.startswith("test_"):
            continue
        marks = [mark for mark in getattr(function, "pytestmark", ()) if mark.name == "parametrize"]
        for arguments in [(value,) for value in marks[0].args[1]] if marks else [()]:
            try:
                function(run, *arguments)
            except pytest.skip.Exception:
                continue
            except Exception as error:
                told = json.dumps(str(error).partition("\n")[0])
                yield f"{name}{list(arguments) if arguments else ''} {type(error).__name__} {told}"


if __name__ == "__main__":
    main(*sys.argv[1:])
