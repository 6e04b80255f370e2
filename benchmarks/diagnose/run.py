"""``python -m benchmarks.diagnose.run``: faulty programs (symptom, line, fix, seconds) and healthy ones (false alarms).

The second suite also has repaired twins of its faulty programs, which are judged like healthy ones.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks import results
from benchmarks.diagnose.execution import LIMIT, Report, diagnose
from benchmarks.diagnose.kept import Kept
from benchmarks.diagnose.labels import Program, programs
from benchmarks.diagnose.scoring import row_of_faulty, row_of_healthy, summary_of_faulty, summary_of_healthy
from benchmarks.diagnose.second import suite as second

SEEDS = (0, 1)


def main() -> None:
    arguments = _arguments()
    kinds = [kind for kind in ("faulty", "healthy", "repaired") if getattr(arguments, kind)]
    if not kinds:
        kinds = ["faulty", "healthy", "repaired"] if arguments.suite == "second" else ["faulty", "healthy"]
    suite = second.programs if arguments.suite == "second" else programs
    kept = Kept(arguments.kept)
    for kind in kinds:
        chosen = suite(kind, arguments.only)
        if kind == "faulty":
            _faulty(chosen, kept, arguments)
        else:
            _silent(kind, chosen, kept, arguments)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faulty", action="store_true", help="the faulty programs")
    parser.add_argument("--healthy", action="store_true", help="the healthy programs")
    parser.add_argument("--repaired", action="store_true", help="the repaired twins of the second suite")
    parser.add_argument(
        "--suite", choices=("first", "second"), default="first", help="which programs; the second was written blind"
    )
    parser.add_argument("--only", metavar="TEXT", help="programs with this in their name")
    parser.add_argument("--jobs", type=int, default=1, help="programs at once; the times are honest with 1 only")
    parser.add_argument("--limit", type=int, default=LIMIT, metavar="SECONDS", help="a program that takes longer has no result")
    parser.add_argument("--kept", type=Path, help="a file of JSON lines with results; programs in it are not run again")
    parser.add_argument("--no-write", action="store_true", help="leave the result files as they are")
    return parser.parse_args()


def _faulty(chosen: Sequence[Program], kept: Kept, arguments: argparse.Namespace) -> None:
    rows = []
    for row in _rows("faulty", chosen, (0,), row_of_faulty, kept, arguments):
        rows.append(row)
        marks = "".join(letter if row[what] else "-" for letter, what in zip("SLF", ("symptom", "line", "fix"), strict=True))
        print(f"{marks} {row['seconds']:6.1f} s  {row['program']}: {_told(row)}", flush=True)
    _conclude("diagnose-faulty", summary_of_faulty(rows), rows, arguments)


def _silent(kind: str, chosen: Sequence[Program], kept: Kept, arguments: argparse.Namespace) -> None:
    """Programs that should not be flagged; the repaired ones with the seed of their twins only."""
    rows = []
    for row in _rows(kind, chosen, SEEDS if kind == "healthy" else SEEDS[:1], row_of_healthy, kept, arguments, "--no-replay"):
        rows.append(row)
        mark = "FLAGGED" if row["flagged"] else "silent "
        print(f"{mark} {row['seconds']:6.1f} s  {row['program']}, seed {row['seed']}: {_told(row)}", flush=True)
    _conclude(f"diagnose-{kind}", summary_of_healthy(rows), rows, arguments)


def _rows(
    kind: str,
    chosen: Sequence[Program],
    seeds: Sequence[int],
    row_of: Callable[[Report], dict[str, Any]],
    kept: Kept,
    arguments: argparse.Namespace,
    *options: str,
) -> Iterator[dict[str, Any]]:
    """The rows of all programs in order; those that are kept are not run."""

    def row(pair: tuple[Program, int]) -> dict[str, Any]:
        program, seed = pair
        return kept.get(kind, program.name, seed) or row_of(diagnose(program, seed, *options, limit=arguments.limit))

    wanted = [(program, seed) for program in chosen for seed in seeds]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for (program, seed), made in zip(wanted, pool.map(row, wanted), strict=True):
            kept.add(kind, program.name, seed, made)
            yield made


def _told(row: dict[str, Any]) -> str:
    findings = [
        f"{finding['code']} {finding['symptom']} at {finding['row']} ({finding['severity']}"
        f"{', ' + finding['confirmed'] if finding['confirmed'] else ''})"
        for finding in row["findings"]
    ]
    return "; ".join(findings) or " | ".join(row["said"])


def _conclude(name: str, summary: dict[str, Any], rows: Sequence[dict[str, Any]], arguments: argparse.Namespace) -> None:
    print(json.dumps(summary, indent=1))
    if not arguments.no_write and arguments.only is None:
        name = name if arguments.suite == "first" else f"{name}-second"
        print(results.write(name, {**summary, "rows": list(rows)}))


if __name__ == "__main__":
    main()
