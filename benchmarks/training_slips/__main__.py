"""Put faults of training into public scripts, and tell which of them dllint finds.

python -m benchmarks.training_slips --peers DIR [--draw N] [--seed S] [--most MOST] [--only KIND] [--missed] [--keep FOLDER]
    [--kept FILE]

Each kind of fault is put into at most MOST of the scripts that have a place for it, drawn by lot, one at a time. A fault is
found if a rule that its kind names tells something that it does not tell of the unchanged script. Writes
``results/training-slips-N.json``: shares by kind, and all that these rules tell of the unchanged scripts, which
``twins.jsonl`` judges.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import results
from benchmarks.training_slips.checking import built_codes, findings, judged, marks, planned, slips
from benchmarks.training_slips.draw import rows
from benchmarks.training_slips.kinds.every import kinds
from benchmarks.training_slips.kinds.kind import Kind

Row = dict[str, str | int | bool]
Figures = dict[str, Any]
#: The kind of rows that are findings on an unchanged script.
TWIN = "twin"
#: The kind of rows that say that a script is part of a plan.
PLANNED = "planned"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The kinds of faults that are put into scripts, the folder with the lists of these and the verdicts, and what its results
    are called."""

    kinds: Sequence[Kind]
    folder: Path
    name: str

    def kind(self, name: str) -> Kind:
        """The kind of a name."""
        return next(kind for kind in self.kinds if kind.name == name)

    def judgements(self) -> list[Row]:
        """What readers have said of findings on unchanged scripts: ``script``, ``line``, ``code``, ``verdict``, ``reason``."""
        lines = (self.folder / "twins.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line]


TRAINING = Benchmark(kinds(), Path(__file__).parent, "training-slips")


def main(benchmark: Benchmark = TRAINING, description: str | None = __doc__) -> int:
    """Seed, check, print and write the result file; the exit status is 1 if a twin has a finding that nobody has judged."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--draw", type=int, default=1)
    parser.add_argument("--seed", default="1", help="for the places")
    parser.add_argument("--most", type=int, default=6, help="faults of a kind")
    parser.add_argument("--only", default="", help="one kind of fault; nothing is written then")
    parser.add_argument("--missed", action="store_true", help="list the faults that are not found")
    parser.add_argument("--keep", type=Path, help="a folder that gets the changed texts of the faults that are not found")
    parser.add_argument("--kept", type=Path, help="a file of what has been found out, with which a run goes on")
    options = parser.parse_args()
    listed = [
        (f"{name} {path}", options.peers / name.replace("/", "+") / path)
        for name, _, path in rows(benchmark.folder / "scripts" / f"{options.draw}.tsv")
    ]
    present = {name: file for name, file in listed if file.is_file()}
    known = kept(options.kept)
    if not known:
        plan = planned(present, options.seed, options.most, benchmark.kinds)
        known = [{"script": name, "kind": kind} for name in plan for kind in (PLANNED, *sorted(plan[name]))]
        for row in known:
            row["is planned"] = True
            keep_row(row, options.kept)
    for name in present:
        wanted = {str(row["kind"]) for row in known if row["script"] == name and "is planned" in row} - {PLANNED}
        chosen = wanted & {options.only} if options.only else wanted
        rows_of = [row for row in known if row["script"] == name and "is planned" not in row]
        missing = chosen - {str(row["kind"]) for row in rows_of}
        for row in checked(name, present[name], options, missing, benchmark) if missing or not rows_of else ():
            known.append(row)
            keep_row(row, options.kept)
    verdicts = [row for row in known if "found" in row]
    twins = {(row["script"], row["line"], row["code"]): row for row in known if row["kind"] == TWIN and row["code"]}
    figures = measured(verdicts, list(twins.values()), benchmark)
    figures["not present"] = [name for name, _ in listed if name not in present]
    print(json.dumps(figures, indent=1))
    built = built_codes()
    for row in verdicts if options.missed else ():
        if not row["found"] and not built.isdisjoint(benchmark.kind(str(row["kind"])).codes):
            print(f"{row['kind']:32} {row['script']}:{row['line']}")
    if not options.only:
        print("written:", results.write(f"{benchmark.name}-{options.draw}", figures).name)
    return int("not judged" in figures["findings on twins"])


def kept(file: Path | None) -> list[Row]:
    """What a run that was cut short has found out, as it was kept."""
    if file is None or not file.is_file():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def keep_row(row: Row, file: Path | None) -> None:
    """Add a row to what is kept."""
    if file is not None:
        with file.open("a", encoding="utf-8") as rows_kept:
            rows_kept.write(json.dumps(row) + "\n")


def checked(name: str, path: Path, options: argparse.Namespace, wanted: Container[str], benchmark: Benchmark) -> Iterator[Row]:
    """What is said of a script, and of each fault of the wanted kinds in it."""
    keep, root = options.keep, options.peers / name.partition(" ")[0].replace("/", "+")
    text = path.read_text(encoding="utf-8")
    told = findings(path, text, root, benchmark.kinds)
    for one in told:
        yield {
            "script": name,
            "kind": TWIN,
            "line": one.location.span.first.line,
            "code": one.code,
            "severity": one.severity.value,
        }
    before = marks(told, text)
    for slip in slips(name, text, options.seed, wanted, path, benchmark.kinds):
        verdict = judged(path, slip, before, root, benchmark.kinds)
        if keep is not None and not verdict.found:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{slip.kind.name}--{name.replace('/', '+').replace(' ', '--')}").write_text(slip.text, encoding="utf-8")
        print(f"{name}:{slip.line} {slip.kind.name}: {verdict.severity or 'not found'}", flush=True)
        yield {"script": name, "kind": slip.kind.name, "line": slip.line, "found": verdict.found, "severity": verdict.severity}


def measured(verdicts: Sequence[Row], twins: Sequence[Row], benchmark: Benchmark = TRAINING) -> Figures:
    """The figures: by kind, of kinds that crash and of silent ones, and what is said of the twins, with its verdicts."""
    known = {(row["script"], row["line"], row["code"]): row["verdict"] for row in benchmark.judgements()}
    shown: list[Row] = [{**twin, "verdict": known.get((twin["script"], twin["line"], twin["code"]), "")} for twin in twins]
    built = built_codes()
    by_kind = {}
    for kind in benchmark.kinds:
        own = [row for row in verdicts if row["kind"] == kind.name]
        by_kind[kind.name] = {
            "codes": list(kind.codes),
            "effect": kind.effect,
            "rule is built": not built.isdisjoint(kind.codes),
            "faults": len(own),
            "found": sum(bool(row["found"]) for row in own),
            "severities": dict(Counter(str(row["severity"]) for row in own if row["found"])),
        }
    of_rules = [row for row in verdicts if not built.isdisjoint(benchmark.kind(str(row["kind"])).codes)]
    return {
        "scripts": len({row["script"] for row in verdicts}),
        "faults": len(verdicts),
        "found": sum(bool(row["found"]) for row in verdicts),
        "faults whose rule is built": len(of_rules),
        "found of these": sum(bool(row["found"]) for row in of_rules),
        "found of these as error or warning": sum(row["severity"] in ("error", "warning") for row in of_rules),
        "findings on twins": dict(Counter(str(twin["verdict"]) or "not judged" for twin in shown)),
        "kinds": by_kind,
        "twins": shown,
    }


if __name__ == "__main__":
    raise SystemExit(main())
