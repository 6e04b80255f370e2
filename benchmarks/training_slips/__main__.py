"""Put faults of training into public scripts, and tell which of them dllint finds.

python -m benchmarks.training_slips --peers DIR [--draw N] [--seed S] [--only KIND] [--missed] [--told]

Each script of the draw gets one fault of each kind that it has a place for, one at a time, at a place drawn by lot. A fault is
found if a rule that its kind names tells something that it does not tell of the unchanged script. Writes
``results/training-slips-N.json``: shares by kind, and all that these rules tell of the unchanged scripts, which
``twins.jsonl`` judges.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks import results
from benchmarks.training_slips.checking import Verdict, built_codes, findings, judged, marks, slips
from benchmarks.training_slips.draw import SETS, rows
from benchmarks.training_slips.kinds.every import kinds

HERE = Path(__file__).parent
Figures = dict[str, object]


def main() -> int:
    """Seed, check, print and write the result file; the exit status is 1 if a twin has a finding that nobody has judged."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--draw", type=int, default=1)
    parser.add_argument("--seed", default="1", help="for the places")
    parser.add_argument("--only", default="", help="one kind of fault; nothing is written then")
    parser.add_argument("--missed", action="store_true", help="list the faults that are not found")
    parser.add_argument("--keep", type=Path, help="a folder that gets the changed texts of the faults that are not found")
    options = parser.parse_args()
    verdicts: list[Verdict] = []
    twins: list[dict[str, object]] = []
    absent = []
    for name, _, path in rows(SETS / f"{options.draw}.tsv"):
        file = options.peers / name.replace("/", "+") / path
        if not file.is_file():
            absent.append(f"{name} {path}")
            continue
        text = file.read_text(encoding="utf-8")
        told = findings(file, text)
        before = marks(told, text)
        twins += [
            {"script": f"{name} {path}", "line": one.location.span.first.line, "code": one.code, "severity": one.severity.value}
            for one in told
        ]
        own = [judged(file, slip, before) for slip in slips(f"{name} {path}", text, options.seed, options.only)]
        print(f"{name} {path}: {sum(verdict.found for verdict in own)} of {len(own)}", flush=True)
        verdicts += own
    figures = measured(verdicts, twins)
    figures["not present"] = absent
    print(json.dumps(figures, indent=1))
    missed = [verdict for verdict in verdicts if not verdict.found]
    for verdict in missed if options.missed else ():
        if built_codes().isdisjoint(verdict.slip.kind.codes):
            continue
        print(f"{verdict.slip.kind.name:32} {verdict.slip.script}:{verdict.slip.line}")
    if options.keep is not None:
        keep(options.keep, missed)
    if not options.only:
        print("written:", results.write(f"training-slips-{options.draw}", figures).name)
    return int(any(twin["verdict"] == "" for twin in twins))


def measured(verdicts: Sequence[Verdict], twins: list[dict[str, object]]) -> Figures:
    """The figures: by kind, of kinds that crash and of silent ones, and what is said of the twins, with its verdicts."""
    known = {(row["script"], row["line"], row["code"]): row["verdict"] for row in judgements()}
    for twin in twins:
        twin["verdict"] = known.get((twin["script"], twin["line"], twin["code"]), "")
    built = built_codes()
    by_kind = {}
    for kind in kinds():
        own = [verdict for verdict in verdicts if verdict.slip.kind is kind]
        by_kind[kind.name] = {
            "codes": list(kind.codes),
            "effect": kind.effect,
            "rule is built": any(code in built for code in kind.codes),
            "faults": len(own),
            "found": sum(verdict.found for verdict in own),
            "severities": dict(Counter(verdict.severity for verdict in own if verdict.found)),
        }
    of_rules = [verdict for verdict in verdicts if any(code in built for code in verdict.slip.kind.codes)]
    return {
        "scripts": len({verdict.slip.script for verdict in verdicts}),
        "faults": len(verdicts),
        "found": sum(verdict.found for verdict in verdicts),
        "faults whose rule is built": len(of_rules),
        "found of these": sum(verdict.found for verdict in of_rules),
        "found of these as error or warning": sum(verdict.severity in ("error", "warning") for verdict in of_rules),
        "findings on twins": dict(Counter(str(twin["verdict"]) or "not judged" for twin in twins)),
        "kinds": by_kind,
        "twins": twins,
    }


def judgements() -> list[dict[str, object]]:
    """What readers have said of findings on unchanged scripts: ``script``, ``line``, ``code``, ``verdict``, ``reason``."""
    lines = (HERE / "twins.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def keep(folder: Path, missed: Sequence[Verdict]) -> None:
    """Write the changed texts of faults that are not found, each into a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for verdict in missed:
        name = f"{verdict.slip.kind.name}--{verdict.slip.script.replace('/', '+').replace(' ', '--')}"
        (folder / name).write_text(verdict.slip.text, encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
