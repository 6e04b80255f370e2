"""``python -m benchmarks.diagnose.run``: faulty programs (symptom, line, fix, seconds) and healthy ones (false alarms)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks import results
from benchmarks.diagnose.execution import Report, diagnose
from benchmarks.diagnose.labels import Program, programs
from benchmarks.diagnose.scoring import row_of_faulty, row_of_healthy, summary_of_faulty, summary_of_healthy
from benchmarks.diagnose.second import suite as second

SEEDS = (0, 1)


def main() -> None:
    arguments = _arguments()
    both = not arguments.faulty and not arguments.healthy
    suite = second.programs if arguments.suite == "second" else programs
    if arguments.faulty or both:
        _faulty(suite("faulty", arguments.only), arguments)
    if arguments.healthy or both:
        _healthy(suite("healthy", arguments.only), arguments)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faulty", action="store_true", help="the faulty programs only")
    parser.add_argument("--healthy", action="store_true", help="the healthy programs only")
    parser.add_argument(
        "--suite", choices=("first", "second"), default="first", help="which programs; the second was written blind"
    )
    parser.add_argument("--only", metavar="TEXT", help="programs with this in their name")
    parser.add_argument("--jobs", type=int, default=1, help="programs at once; the times are honest with 1 only")
    parser.add_argument("--no-write", action="store_true", help="leave the result files as they are")
    return parser.parse_args()


def _faulty(chosen: Sequence[Program], arguments: argparse.Namespace) -> None:
    rows = []
    for report in _reports(chosen, (0,), arguments.jobs):
        row = row_of_faulty(report)
        rows.append(row)
        marks = "".join(letter if row[what] else "-" for letter, what in zip("SLF", ("symptom", "line", "fix"), strict=True))
        print(f"{marks} {row['seconds']:6.1f} s  {row['program']}: {_told(row)}", flush=True)
    _conclude("diagnose-faulty", summary_of_faulty(rows), rows, arguments)


def _healthy(chosen: Sequence[Program], arguments: argparse.Namespace) -> None:
    rows = []
    for report in _reports(chosen, SEEDS, arguments.jobs, "--no-replay"):
        row = row_of_healthy(report)
        rows.append(row)
        mark = "FLAGGED" if row["flagged"] else "silent "
        print(f"{mark} {row['seconds']:6.1f} s  {row['program']}, seed {row['seed']}: {_told(row)}", flush=True)
    _conclude("diagnose-healthy", summary_of_healthy(rows), rows, arguments)


def _reports(chosen: Sequence[Program], seeds: Sequence[int], jobs: int, *options: str) -> Iterator[Report]:
    wanted = [(program, seed) for program in chosen for seed in seeds]
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda pair: diagnose(*pair, *options), wanted)


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
