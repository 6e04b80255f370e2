"""Seconds per numeric program, beside DEBAR's 12.1 s per graph.

python -m benchmarks.numeric.time --peers DIR

Two figures per program: the check in a process that has checked another program before, and a whole ``dllint check`` process of
its own. CPU time, so that other work on the machine does not count; with the default precision.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks import measure, results
from benchmarks.numeric.ablation import SETS
from benchmarks.recall.run import CHECK, HERE
from benchmarks.recall.score import root_of
from dllint.config.discovery import Configuration
from dllint.engine.session import Session

#: Mean seconds per graph that DEBAR reports.
DEBAR_S = 12.1
TARGET_S = 0.5


def main() -> None:
    """Time all programs, print the figures, write ``results/numeric-time.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    files = programs(parser.parse_args().peers.resolve())
    checked(files[0])
    warm = {path: checked(path) for path in files}
    cold = {path: process(path) for path in files}
    summaries = {"warm": summary(warm), "cold": summary(cold)}
    for name, figures in summaries.items():
        print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in figures.items()))
    found = {"programs": len(files), "debar_s": DEBAR_S, **summaries}
    print(f"DEBAR: {DEBAR_S} s per graph on average. Written: {results.write('numeric-time', found).name}")


def programs(peers: Path) -> list[Path]:
    """The files of the labelled numeric programs and of the own ones that are present."""
    lines = (HERE / "dev.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["set"] in SETS.split(",") and not row.get("edit")]
    paths = {root_of(row["repo"], peers, HERE) / row["path"] for row in rows}
    return sorted(path for path in paths if path.is_file())


def checked(path: Path) -> float:
    """CPU seconds of a check in this process, by a session of its own."""
    session = Session(Configuration(isolated=True), remember=False)
    text = path.read_bytes()
    start = time.process_time()
    session.check_bytes(path, text)
    return time.process_time() - start


def process(path: Path) -> float:
    """CPU seconds of a process that checks one file."""
    os.environ["PYTHONPATH"] = str(HERE.parent.parent)
    return measure.run([*CHECK.split(), str(path)], cwd=str(path.parent)).cpu_s


def summary(seconds: dict[Path, float]) -> dict[str, Any]:
    """Median and worst, and which program that is."""
    slowest = max(seconds, key=lambda path: seconds[path])
    return {
        "median_s": round(statistics.median(seconds.values()), 3),
        "worst_s": round(seconds[slowest], 3),
        "worst": slowest.name,
        "above_target": sum(value > TARGET_S for value in seconds.values()),
    }


if __name__ == "__main__":
    main()
