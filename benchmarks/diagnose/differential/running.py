"""Runs a case in an empty folder, by itself or under ``dllint diagnose``, and notes what can be seen of it afterwards."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks.diagnose.differential.cases import Case

ROOT: Final = Path(__file__).parents[3]
LIMIT: Final = 900
#: Read by the program's end, which is appended to every script, in both runs.
ENDING: Final = Path(__file__).with_name("ending.py")
NAME: Final = "train.py"
_BEGINNING: Final = "import dllint.dev.libraries.torchvision_import as t; t.import_torchvision(); del t\n"
_NUMBERS: Final = re.compile(r"\d{4,}")


@dataclass(frozen=True, slots=True)
class Seen:
    """What a run has left: exit status, standard output, lines of standard error, and files with the digests of their
    contents (the weights and random states that the ending has written among them)."""

    status: int
    output: str
    errors: tuple[str, ...]
    files: dict[str, str]
    seconds: float


def run(case: Case, *options: str, diagnosed: bool, home: Path | None = None) -> Seen:
    """Run a case once. The folder has the same path each time, so that paths in outputs do not differ."""
    folder = (home or Path(tempfile.gettempdir(), f"dllint-differential-{os.getpid()}")) / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        (folder / NAME).write_text(text_of(case), encoding="utf-8")
        begin = perf_counter()
        done = _run(command(case, [*options, *_reports(folder.parent)], diagnosed=diagnosed), folder, case)
        seconds = perf_counter() - begin
        errors = tuple(line.rstrip() for line in done.stderr.split("\n") if line.strip() and "\r" not in line)
        return Seen(done.returncode, done.stdout, errors, files_in(folder), round(seconds, 1))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def text_of(case: Case) -> str:
    """A script with the ending that writes what is left; first, torchvision is imported where its operators may not load."""
    text = case.path.read_text(encoding="utf-8") + ENDING.read_text(encoding="utf-8")
    return _BEGINNING + text if case.uses_torchvision and find_spec("torchvision") else text


def _reports(folder: Path) -> list[str]:
    """The options that have dllint write all that it can, beside the program's folder."""
    report, page, record = (str(folder / name) for name in ("report.json", "page.html", "record.json"))
    return ["--output-format", "json", "--output-file", report, "--html", page, "--record", record]


def command(case: Case, options: Sequence[str], *, diagnosed: bool) -> list[str]:
    """The command line of a run."""
    ours = ["-m", "dllint", "diagnose", "--quiet", *options] if diagnosed else []
    launcher = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={case.processes}"] if case.processes else []
    return [sys.executable, *launcher, *ours, NAME, *case.arguments]


def _run(arguments: Sequence[str], folder: Path, case: Case) -> subprocess.CompletedProcess[str]:
    own = {
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "TF_NUM_INTRAOP_THREADS": "1",
        "TF_NUM_INTEROP_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "KERAS_BACKEND": case.backend or "torch",
    }
    try:
        return subprocess.run(
            arguments,
            cwd=folder,
            env={**os.environ, **own},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired as expired:
        return subprocess.CompletedProcess(list(arguments), 124, "", f"not ended after {expired.timeout:.0f} s")


def files_in(folder: Path) -> dict[str, str]:
    """The files under a folder. Long numbers in their names, which are times and processes, are left out."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = _NUMBERS.sub("N", str(path.relative_to(folder)))
        if path.is_symlink():
            found[name] = f"link to {path.readlink()}"
        else:
            found[name] = "folder" if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return found
