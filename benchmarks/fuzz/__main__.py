"""Standing fuzzers: ``python -m benchmarks.fuzz SUBJECT``.

Inputs that nobody wrote, and what must hold for every one of them. Each failure is written to
``build/fuzz/SUBJECT`` with the seed that made it; the exit status is 1 if there is any. ``--nightly`` takes every subject at
its nightly size, one after the other.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report


@dataclass(frozen=True, slots=True)
class Subject:
    """What is counted, how many by default and in the night."""

    count: int
    nightly: int
    unit: str


SUBJECTS: Final = {
    "public": Subject(10_000, 20_000, "public files as they are"),
    "sources": Subject(20_000, 100_000, "mutated and hostile files"),
    "edits": Subject(20_000, 100_000, "edits through the language server"),
    "incremental": Subject(10_000, 20_000, "edits in one process, compared with a fresh start"),
    "configurations": Subject(5_000, 50_000, "configuration files, ignore files and baselines"),
    "notebooks": Subject(5_000, 50_000, "notebooks"),
    "graphs": Subject(10_000, 100_000, "graph files"),
    "caches": Subject(1_000, 10_000, "caches"),
    "kills": Subject(200, 1_000, "killed runs of --fix"),
    "encodings": Subject(60, 400, "files with fixes, each in 36 variants"),
    "fixes": Subject(1_000, 10_000, "programs with something to fix"),
}


def run(subject: str, options: Options) -> Report:
    """The outcome of one subject."""
    report: Report = import_module(f"benchmarks.fuzz.{subject}").run(options)
    return report


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz and write the figures; the exit status."""
    options = _parser().parse_args(arguments)
    status = 0
    for name in SUBJECTS if options.nightly and not options.subject else [options.subject]:
        subject = SUBJECTS[name]
        count = options.count or (subject.nightly if options.nightly else subject.count)
        report = run(name, Options(count, options.seed, options.peers, options.jobs, _end(options.minutes)))
        status |= report.finish(keep=not options.no_write)
    return status


def _end(minutes: float | None) -> float:
    return math.inf if minutes is None else time.monotonic() + 60 * minutes


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    which = parser.add_argument("subject", nargs="?", choices=SUBJECTS)
    which.help = "; ".join(f"{name}: {subject.unit}" for name, subject in SUBJECTS.items())
    parser.add_argument("--count", type=int, default=0, help="how many (default: the subject's size)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--peers", type=Path, help="where public checkouts lie")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="begin nothing more after so long; the figures say how far it came")
    parser.add_argument("--nightly", action="store_true", help="at nightly size; every subject, if none is named")
    parser.add_argument("--no-write", action="store_true", help="write no result file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
