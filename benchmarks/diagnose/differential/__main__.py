"""``python -m benchmarks.diagnose.differential``: writes ``benchmarks/results/diagnose-differential.json``; status 1 if a
program does something else under ``dllint diagnose`` than by itself.

Each script runs by itself and diagnosed, with everything that a user gets (experiments, trials, the page). Where the two
differ, it runs by itself once more: what differs then, too (times, names of temporary files), is no difference.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

from benchmarks import results
from benchmarks.diagnose.differential.cases import HEALTHY, SCRIPTS, Case, cases
from benchmarks.diagnose.differential.comparing import differences, unexplained
from benchmarks.diagnose.differential.running import run

#: Scripts that were written for this, and the healthy programs of the benchmark of diagnoses.
SETS: Final = {"scripts": SCRIPTS, "healthy": HEALTHY}


def main() -> int:
    """Compare all cases and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diagnose.differential")
    parser.add_argument("--only", default="", help="cases with this in their names")
    parser.add_argument("--set", choices=SETS, action="append", help="one of both sets of programs only")
    parser.add_argument("--replay-seconds", default="20", help="time for trials of repairs")
    parser.add_argument("--kept", type=Path, help="a file of JSON lines with results; cases that are in it are not run again")
    arguments = parser.parse_args()
    kept = _read(arguments.kept)
    rows = []
    for case in [case for name in arguments.set or SETS for case in cases(SETS[name], arguments.only)]:
        row = kept.get(case.name) or compared(case, arguments.replay_seconds)
        rows.append(row)
        if arguments.kept and case.name not in kept:
            with arguments.kept.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(row) + "\n")
        print(json.dumps(row) if row["result"] == "different" else f"{row['result']}: {case.name}", flush=True)
    counts = Counter(row["result"] for row in rows)
    print(dict(counts))
    if not arguments.only and not arguments.set:
        print(
            results.write(
                "diagnose-differential",
                {"scripts": len({row["script"] for row in rows}), "results": dict(counts), "rows": rows},
            )
        )
    return int(bool(counts["different"]))


def compared(case: Case, replay_seconds: str) -> dict[str, Any]:
    """The result of one case: ``same``, ``different``, ``not present``, or ``broken`` if it fails where it should not."""
    row: dict[str, Any] = {"case": case.name, "script": case.path.stem}
    missing = case.missing
    if missing is not None:
        return {**row, "result": "not present", "missing": missing}
    plain = run(case, diagnosed=False)
    watched = run(case, "--replay-seconds", replay_seconds, diagnosed=True)
    launched = case.processes > 0
    found = differences(plain, watched, launched=launched)
    if found:
        found = unexplained(plain, run(case, diagnosed=False), watched, launched=launched)
    row |= {"status": plain.status, "seconds": [plain.seconds, watched.seconds]}
    if plain.status and "fails" not in case.path.stem:
        return {**row, "result": "broken", "errors": plain.errors[-3:]}
    return {**row, "result": "different", "differences": found} if found else {**row, "result": "same"}


def _read(path: Path | None) -> dict[str, dict[str, Any]]:
    """Results by case."""
    if path is None or not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["case"]: row for row in rows}


if __name__ == "__main__":
    raise SystemExit(main())
