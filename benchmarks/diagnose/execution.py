"""Runs ``dllint diagnose`` on a program in a process of its own, as a user would, and reads the report."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from benchmarks.diagnose.labels import Program

ROOT = Path(__file__).parents[2]
#: Seconds after which a program is ended.
LIMIT: Final = 600
#: What a program of a framework waits for before its first line.
_IMPORTS = {"torch": "torch", "keras on torch": "torch, keras", "keras on tensorflow": "tensorflow, keras"}


@dataclass(frozen=True, slots=True)
class Report:
    """A finished diagnosis: its findings as in the JSON report, what was said, and how long it took in all."""

    program: Program
    seed: int
    status: int
    findings: list[dict[str, Any]]
    said: str
    seconds: float


def diagnose(program: Program, seed: int, *options: str, limit: int = LIMIT) -> Report:
    """Diagnose a copy of a program in an empty folder, with the seed as its only argument."""
    with tempfile.TemporaryDirectory(prefix="dllint-measured-") as folder:
        shutil.copyfile(program.path, Path(folder, program.path.name))
        report = Path(folder, "report.json")
        written = ["--output-format", "json", "--output-file", str(report)]
        begin = perf_counter()
        done = _run(program, folder, limit, "-m", "dllint", "diagnose", *written, *options, program.path.name, str(seed))
        seconds = perf_counter() - begin
        findings = json.loads(report.read_text(encoding="utf-8")) if report.exists() else []
    return Report(program, seed, done.returncode, findings, done.stderr, seconds)


@cache
def cold_start(framework: str) -> float:
    """Seconds that a program of a framework takes to be ready: the interpreter and the imports."""
    example = Program(Path(), framework.rpartition(" ")[2], " " in framework, {}, ())
    begin = perf_counter()
    _run(example, str(ROOT), LIMIT, "-c", f"import {_IMPORTS[framework]}")
    return perf_counter() - begin


def _run(program: Program, folder: str, limit: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    own = {"KERAS_BACKEND": program.backend, "TF_CPP_MIN_LOG_LEVEL": "3", "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *arguments]
    # A program that never ends is a result, too.
    try:
        return subprocess.run(
            command, cwd=folder, env={**os.environ, **own}, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired as expired:
        return subprocess.CompletedProcess(command, 124, "", f"not ended after {expired.timeout:.0f} s")
