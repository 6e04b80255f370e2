"""What each precision setting of the ranges finds, on the same programs: DEBAR's ablation on source.

python -m benchmarks.numeric.ablation --peers DIR

Every setting is scored on the labelled numeric programs and on the own ones (see ``benchmarks.recall.run``). Time is CPU time
of the check of all files, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import measure, results
from benchmarks.recall.run import CHECK, HERE
from dllint.domains.precision import PRECISIONS

SETS = "numeric,numeric-own"
#: What DEBAR reports of its own settings on its 57 graphs: accuracy, mean seconds per graph.
DEBAR = {
    "interval+affine": "87.1 %, 12.2 s",
    "partition": "80.6 %, 12.1 s",
    "partition+affine": "93.0 %, 12.1 s",
    "expansion": "33 of 57 graphs exceed 30 minutes",
}


def main() -> None:
    """Score all settings, print the table, write ``results/numeric-ablation.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    peers = parser.parse_args().peers
    rows = {name: scored(name, peers) for name in PRECISIONS}
    show(rows)
    print(f"written: {results.write('numeric-ablation', {'settings': rows, 'debar': DEBAR}).name}")


def scored(precision: str, peers: Path) -> dict[str, Any]:
    """The figures of one setting."""
    os.environ["PYTHONPATH"] = str(HERE.parent.parent)  # the working tree that the benchmark stands in
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "score.json"
        command = [sys.executable, str(HERE / "score.py"), str(HERE / "dev.jsonl"), "--peers", str(peers), "--set", SETS]
        done = measure.run([*command, "--tool", f"{CHECK} --precision {precision}", "--json", str(out)])
        if done.code:
            raise SystemExit(done.stderr)
        return figures(json.loads(out.read_text(encoding="utf-8")), done.cpu_s)


def figures(score: dict[str, Any], cpu_s: float) -> dict[str, Any]:
    """What the table shows: labelled faults found (those that the recall is about, then all), and what was reported wrongly."""
    total = score["total"]
    return {
        "found": total.get("detected", 0),
        "of": total.get("buggy", 0),
        "found_with_secondary": total.get("detected", 0) + total.get("other_detected", 0),
        "of_with_secondary": total.get("buggy", 0) + total.get("other_buggy", 0),
        "false_alarms": len(score["false_alarms"]),
        "hard_negatives_flagged": total.get("hard-negative_flagged", 0),
        "hard_negatives": total.get("hard-negative", 0),
        "closed_world_precision": score["closed_world"]["precision"],
        "failed": len(score["failed"]),
        "cpu_s": round(cpu_s, 1),
    }


def show(rows: dict[str, dict[str, Any]]) -> None:
    """The table."""
    heads = (
        "setting",
        "found",
        "with secondary",
        "false alarms",
        "hard negatives",
        "precision",
        "CPU s",
        "DEBAR: accuracy, time",
    )
    print("".join(f"{head:>18}" for head in heads))
    for name, row in rows.items():
        cells = (
            name,
            f"{row['found']}/{row['of']}",
            f"{row['found_with_secondary']}/{row['of_with_secondary']}",
            row["false_alarms"],
            f"{row['hard_negatives_flagged']}/{row['hard_negatives']}",
            row["closed_world_precision"],
            row["cpu_s"],
        )
        print("".join(f"{cell!s:>18}" for cell in cells) + f"    {DEBAR.get(name, '-')}")


if __name__ == "__main__":
    main()
