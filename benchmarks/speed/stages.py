"""Where the time of a check goes: CPU time of its stages, each without the stages inside it, as multiples of parsing.

python -m benchmarks.speed.stages --peers DIR [--only transformers] [--every 27]

One process parses every n-th directory of a package (files of a directory import each other) as the yardstick, then checks
these files as the command line does with ``-j 1``. What is parsed for imports counts fully, though in a run over the whole
package other files would share it: the total is above that of ``benchmarks.speed.corpus``.
"""

from __future__ import annotations

import argparse
import gc
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any, Final

import libcst

from benchmarks import results
from dllint.config.discovery import Configuration
from dllint.engine import analysis, gate, run, tracing
from dllint.lower import modules
from dllint.source import document, lazy

#: Where each stage is entered: the object that holds the function, and its name.
STAGES: tuple[tuple[str, Any, str], ...] = (
    ("outline", lazy, "outline"),
    ("parse", lazy, "parse"),
    ("parse", document, "parse"),
    ("lower", tracing, "lower_document"),
    ("lower imports", modules, "run_pending"),
    ("rules", analysis.Analyser, "_asked"),
    ("refine", analysis, "refine"),
    ("fix gate", gate.Gate, "approve"),
    ("followed", analysis, "followed"),
)


#: Which of the directories of a package are checked: every so many-th.
EVERY: Final = 27


class Stopwatch:
    """CPU seconds by stage; while a stage runs inside another one, the outer one stands still."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._running = ["rest"]
        self._since = process_time()

    def enter(self, stage: str) -> None:
        """Begin a stage."""
        self._lap()
        self._running.append(stage)

    def leave(self) -> None:
        """Go on with the stage around the present one."""
        self._lap()
        self._running.pop()

    def _lap(self) -> None:
        now = process_time()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function whose time counts for a stage."""

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            self.enter(stage)
            try:
                return function(*args, **kwargs)
            finally:
                self.leave()

        return wrapper

    def collecting(self, phase: str, _info: object) -> None:
        """The garbage collector begins or ends."""
        if phase == "start":
            self.enter("garbage collection")
        else:
            self.leave()


def main() -> None:
    """Measure, print, write ``results/speed-stages.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--only", default="transformers")
    parser.add_argument("--every", type=int, default=EVERY)
    options = parser.parse_args()
    files = sample(options.peers / f"pypi+{options.only}", options.every)
    gc.disable()
    yardstick = parse_all(files)
    stages = check_all(files)
    figures = {
        "package": options.only,
        "every": options.every,
        "files": len(files),
        "parse_cpu_s": round(yardstick, 2),
        "times_parse": round(sum(stages.values()) / yardstick, 2),
        "stages": {stage: round(seconds / yardstick, 2) for stage, seconds in stages.most_common()},
    }
    print(json.dumps(figures, indent=2))
    print(f"written: {results.write('speed-stages', figures).name}")


def sample(root: Path, every: int) -> list[Path]:
    """The Python files of every n-th directory of a package."""
    directories = sorted({path.parent for path in root.rglob("*.py")})
    return [path for directory in directories[::every] for path in sorted(directory.glob("*.py"))]


def parse_all(files: Sequence[Path]) -> float:
    """CPU seconds of parsing all files and doing nothing else."""
    start = process_time()
    for path in files:
        libcst.parse_module(path.read_bytes())
    return process_time() - start


def check_all(files: Sequence[Path]) -> Counter[str]:
    """CPU seconds of the stages of a check of all files."""
    watch = Stopwatch()
    for stage, holder, name in STAGES:
        setattr(holder, name, watch.timed(stage, getattr(holder, name)))
    gc.callbacks.append(watch.collecting)
    watch.enter("rest")
    run.check_files(files, run.Plan(Configuration(isolated=True), jobs=1), lambda: None)
    watch.leave()
    return watch.seconds


if __name__ == "__main__":
    main()
