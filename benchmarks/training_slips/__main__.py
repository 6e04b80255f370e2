"""Put faults of training into public scripts, and tell which of them dllint finds.

python -m benchmarks.training_slips --peers DIR [--draw N] [--seed S] [--most MOST] [--only KIND] [--missed] [--keep FOLDER]

Each kind of fault is put into at most MOST of the scripts that have a place for it, drawn by lot, one at a time. A fault is
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
from benchmarks.training_slips.checking import Verdict, built_codes, findings, judged, marks, planned, slips
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
    parser.add_argument("--most", type=int, default=6, help="faults of a kind")
    parser.add_argument("--only", default="", help="one kind of fault; nothing is written then")
    parser.add_argument("--missed", action="store_true", help="list the faults that are not found")
    parser.add_argument("--keep", type=Path, help="a folder that gets the changed texts of the faults that are not found")
    options = parser.parse_args()
    listed = [(f"{name} {path}", options.peers / name.replace("/", "+") / path) for name, _, path in rows(_list(options.draw))]
    present = {name: file for name, file in listed if file.is_file()}
    texts = {name: file.read_text(encoding="utf-8") for name, file in present.items()}
    verdicts: list[Verdict] = []
    twins: list[dict[str, object]] = []
    for name, wanted in planned(present, options.seed, options.most).items():
        told = findings(present[name], texts[name])
        before = marks(told, texts[name])
        twins += [
            {"script": name, "line": one.location.span.first.line, "code": one.code, "severity": one.severity.value}
            for one in told
        ]
        chosen = wanted & {options.only} if options.only else wanted
        own = [judged(present[name], slip, before) for slip in slips(name, texts[name], options.seed, chosen, present[name])]
        print(f"{name}: {sum(verdict.found for verdict in own)} of {len(own)}", flush=True)
        for verdict in own if options.missed else ():
            if not verdict.found and not built_codes().isdisjoint(verdict.slip.kind.codes):
                print(f"    {verdict.slip.kind.name} at line {verdict.slip.line}")
        verdicts += own
    figures = measured(verdicts, twins)
    figures["not present"] = [name for name, _ in listed if name not in present]
    print(json.dumps(figures, indent=1))
    missed = [verdict for verdict in verdicts if not verdict.found]
    if options.keep is not None:
        keep(options.keep, missed)
    if not options.only:
        print("written:", results.write(f"training-slips-{options.draw}", figures).name)
    return int(any(twin["verdict"] == "" for twin in twins))


def _list(draw: int) -> Path:
    return SETS / f"{draw}.tsv"


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
