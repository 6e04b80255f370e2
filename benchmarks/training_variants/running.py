"""Whether the programs raise or run through, as their table says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.training_variants.checking import Variant

#: Seconds that a program may take.
LIMIT = 300


def refuted(variant: Variant) -> str:
    """What a run shows to be wrong about a variant: empty if its fault does what the table says and its twin runs."""
    fault, twin = (error_of(variant.program(kind), variant.main) for kind in ("fault", "twin"))
    if twin:
        return f"the twin raises {twin}"
    if variant.effect == "silent":
        return f"the fault raises {fault}" if fault else ""
    return "" if fault else "the fault does not raise"


def error_of(program: Path, main: str) -> str:
    """The last line of what a program says when it fails, run in a copy of its folder; empty if it runs.

    Raises subprocess.TimeoutExpired after ``LIMIT`` seconds.
    """
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(program, copy)
        command = [sys.executable, "-W", "ignore", main]
        ran = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False)
    return (ran.stderr.strip() or f"status {ran.returncode}").splitlines()[-1] if ran.returncode else ""
