"""The second suite of deployed models, written without sight of the tool, and what ``dllint bisect`` says of each.

python -m benchmarks.bisection.second_suite [--only TEXT] [--kept FILE] [--write NAME]

The forty entries of ``second/`` (whose digest is checked against ``second.sha256``) are rebuilt and bisected, with the
network in torch as the reference and the metric of its task. An answer is *exact* if it names each place of a fault once and
nothing else; a place is named by the reference's node or by the candidate's value that is paired with it, as ``entries.json``
has them. *Innocents* are culprits at no place of a fault. ``--kept`` keeps each row, so that a run that was cut goes on;
``--write`` writes the result file of that name.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks import results
from benchmarks.bisection.second import suite
from benchmarks.diagnose.kept import Kept
from dllint.bisection.candidates.onnx_runtime import OnnxCandidate
from dllint.bisection.errors import BisectionError
from dllint.bisection.report.record import record
from dllint.bisection.result import Culprit, Verdict
from dllint.bisection.session import Laid, Options, laid_out, opened, searched
from dllint.bisection.spec import Spec

_DIGEST: Final = Path(__file__).with_name("second.sha256")
#: The suite's names of ONNX Runtime's levels, where the tool has others.
_LEVELS: Final = {"disable": "none"}


def main() -> int:
    """Run the entries, print a line for each, and the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only entries whose name contains this")
    parser.add_argument("--kept", type=Path, help="keep rows in this file, and take those that are in it")
    parser.add_argument("--write", default="", metavar="NAME", help="write results/NAME.json")
    options = parser.parse_args()
    if suite.digest() != _DIGEST.read_text("utf-8").split()[0]:
        print("the suite is not the one whose digest was committed", file=sys.stderr)
        return 1
    rows, kept = [], Kept(options.kept)
    for entry in json.loads(suite.TABLE.read_text("utf-8")):
        if options.only in entry["name"]:
            row = kept.get("bisect", entry["name"], 0) or run_entry(entry)
            kept.add("bisect", entry["name"], 0, row)
            rows.append(row)
            print(json.dumps(row), flush=True)
    print(json.dumps(summary(rows), indent=1))
    if options.write:
        figures = {"digest": suite.digest(), "summary": summary(rows), "cases": rows}
        print(f"written: {results.write(options.write, figures).name}")
    return 0


def run_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    """One entry of the table: what was changed and what was found; an error is no answer."""
    built = suite.built(entry["name"])
    row = {key: entry[key] for key in ("name", "kind", "form", "level")} | {"places": [list(names) for names in built.culprits]}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "candidate.onnx"
        path.write_bytes(built.candidate)
        start = time.perf_counter()
        try:
            said = judged(built, path)
        except BisectionError as error:
            said = {"error": str(error), "found": [], "drop": entry["drop"], "visible": 0.0, "verdict": "none"}
        return {**row, **said, "seconds": round(time.perf_counter() - start, 1)}


def judged(built: suite.Built, path: Path) -> dict[str, Any]:
    """What the bisection of one candidate says."""
    subject = built.subject
    spec = Spec(
        path.parent,
        reference=subject.model,
        candidate=lambda: OnnxCandidate(path, optimise=_LEVELS.get(built.level, built.level)),
        batches=[(subject.inputs, subject.targets)],
        per_sample=subject.per_sample,
        batch_size=128,
    )
    laid = laid_out(spec, Options(), opened(spec, Options()), lambda text: None)
    found = searched(laid)
    said, operators = record(found, laid.bench.graph), found.linear_sweep - 1
    return {
        "found": [sorted(names_of(culprit, laid)) for culprit in found.culprits],
        "rows": [len(culprit.steps) for culprit in found.culprits],
        "shares": [round(culprit.share, 3) for culprit in found.culprits],
        "suspected": [culprit.suspected for culprit in found.culprits],
        "probable": [each["operator"] for each in said["probable"]],
        "acquitted": [each["operator"] for each in said["acquitted"]],
        "verdict": found.verdict.value,
        "drop": round(-found.contrast.difference, 4),
        "visible": round(found.smallest_visible_drop, 4),
        "operators": operators,
        "evaluations": found.evaluations,
        "budget": round(2 * math.log2(max(2, operators)) + 4, 1),
        "notes": found.notes,
    }


def names_of(culprit: Culprit, laid: Laid) -> set[str]:
    """The reference's node that is named, and the candidate's value that stands for it; of a row, those of the last."""
    name = culprit.steps[-1].name
    return {name, laid.bench.aligned.get(name, name)}


def exact(row: Mapping[str, Any]) -> bool:
    """Whether the answer names one operator at each place, and nothing else."""
    hits = [_places(names, row) for names in row["found"]]
    single = all(length == 1 for length in row.get("rows", ()))
    return single and sorted(hits, key=str) == sorted(({i} for i in range(len(row["places"]))), key=str)


def innocents(row: Mapping[str, Any]) -> int:
    """The number of culprits at no place of a fault."""
    return sum(not _places(names, row) for names in row["found"])


def _places(names: Sequence[str], row: Mapping[str, Any]) -> set[int]:
    return {i for i, place in enumerate(row["places"]) if set(place) & set(names)}


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Shares over all entries; the drop of each fault is larger than what so many samples show."""
    single, pairs, benign = ([row for row in rows if row["kind"] == kind] for kind in ("fault", "pair", "benign"))
    fine = (Verdict.NO_DROP_SEEN.value, Verdict.EQUALLY_VALID.value)
    return {
        "exact, single": _share(map(exact, single)),
        "exact, pairs": _share(map(exact, pairs)),
        "innocents": sum(map(innocents, rows)),
        "benign accused": _share(bool(row["found"]) for row in benign),
        "benign without a drop": _share(row["verdict"] in fine for row in benign),
        "single within 2 log2 n + 4 evaluations": _share(_within(row, 1) for row in single),
        "pairs within twice that": _share(_within(row, 2) for row in pairs),
        "errors": sum("error" in row for row in rows),
        "below the smallest visible drop": [row["name"] for row in (*single, *pairs) if row["drop"] < row["visible"]],
    }


def _within(row: Mapping[str, Any], faults: int) -> bool:
    return "error" not in row and bool(row["evaluations"] <= faults * row["budget"])


def _share(flags: Iterable[bool]) -> str:
    known = list(flags)
    return f"{sum(known)} of {len(known)}"


if __name__ == "__main__":
    raise SystemExit(main())
