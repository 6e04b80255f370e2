"""CPU time and memory of ``dllint check`` on programs of one, two and four times a size.

    python -m benchmarks.scaling [--jobs 2] [--only TEXT] [--write]

A family of programs fails if four times its size take more than 2.6 times as long as twice the size (without what any run
takes), if a run takes more than 20 CPU seconds or 2 GiB, tells an error of dllint, or misses the fault that is to be found.
Times below half a second are not compared.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks import results
from benchmarks.measure import Measured, run
from benchmarks.scaling.families import AFTER, BEFORE, FAMILIES, FAULT, NAME, Family, Files

CHECK: Final = (sys.executable, "-P", "-m", "dllint", "check", "--no-cache", "-j", "1", "--output-format", "json")
MOST_RATIO: Final = 2.6
MOST_SECONDS: Final = 20.0
MOST_MIB: Final = 2048
#: What is killed, as it would take for ever.
KILLED: Final = 60
#: Less than this is not compared: one run differs from the next by as much.
LEAST_SECONDS: Final = 0.5
#: The statuses of a check that has done its work.
DONE: Final = (0, 1)


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured of a family; times by size, without what a run on next to nothing takes."""

    family: str
    size: int
    seconds: tuple[float, ...]
    peak_mib: int
    ratio: float | None
    cut_short: bool
    failures: tuple[str, ...]


def check(files: Files) -> Measured:
    """Check a program in a directory of its own."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for name, text in files.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        return run([*CHECK, directory], cwd=directory, seconds=KILLED)


def measure(family: Family, nothing: float) -> Row:
    """Run one, two and four times the size of a family; larger ones only as long as that makes sense."""
    runs: list[Measured] = []
    for times in (1, 2, 4):
        runs.append(check(family.make(times * family.size)))
        if runs[-1].cpu_s > MOST_SECONDS:
            break
    seconds = tuple(round(max(measured.cpu_s - nothing, 0.0), 2) for measured in runs)
    ratio = round(seconds[-1] / max(seconds[-2], LEAST_SECONDS / 2), 2) if seconds[-1] > LEAST_SECONDS and seconds[1:] else None
    peak = round(max(measured.peak_mib for measured in runs))
    cut = any(_is_cut(measured) for measured in runs)
    return Row(family.name, family.size, seconds, peak, ratio, cut, tuple(_failures(family, runs, ratio, peak)))


def _failures(family: Family, runs: list[Measured], ratio: float | None, peak: int) -> list[str]:
    found = []
    if max(measured.cpu_s for measured in runs) > MOST_SECONDS:
        found.append("time")
    elif ratio is not None and ratio > MOST_RATIO:
        found.append("ratio")
    if peak > MOST_MIB:
        found.append("memory")
    if any(measured.code not in DONE or "internal-error" in measured.stderr for measured in runs):
        found.append(f"error: {runs[-1].stderr.strip()[-120:]}")
    elif family.found and not all(_has_fault(measured, family.make(family.size << i)) for i, measured in enumerate(runs)):
        found.append("fault not found")
    return found


def _has_fault(measured: Measured, files: Files) -> bool:
    """Whether the fault on the last line is told."""
    last = files.get(NAME, "").count("\n") or None
    return any(finding["code"] == FAULT and last in (None, finding["location"]["row"]) for finding in _findings(measured))


def _findings(measured: Measured) -> list[dict[str, Any]]:
    try:
        found: list[dict[str, Any]] = json.loads(measured.stdout)
    except ValueError:
        return []
    return found


def _is_cut(measured: Measured) -> bool:
    return "cut short" in measured.stderr


def main() -> int:
    """Measure, print, write ``results/scaling.json`` if that is asked for. The status is 1 if a family fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=1, help="families at a time; times are honest on a quiet machine only")
    parser.add_argument("--only", default="", help="families with this in their names")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    nothing = min(check({NAME: BEFORE + AFTER}).cpu_s for _ in range(3))
    families = [family for family in FAMILIES if options.only in family.name]
    rows = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda family: measure(family, nothing), families):
            rows.append(row)
            cut = "cut short" if row.cut_short else ""
            print(
                f"{row.family:45} {row.seconds!s:24} {row.peak_mib:6} MiB {row.ratio!s:5} {cut} {', '.join(row.failures)}",
                flush=True,
            )
    failed = [row for row in rows if row.failures]
    print(f"{len(rows)} families, {len(failed)} failed")
    if options.write:
        figures = {"families": len(rows), "failed": len(failed), "nothing_cpu_s": round(nothing, 2)}
        path = results.write("scaling", {**figures, "rows": [asdict(row) for row in rows]})
        print(f"written: {path.name}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
