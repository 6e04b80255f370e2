"""Trace every program of the labelled half and tell how much of it is known.

python -m benchmarks.recall.lowering --peers DIR [--framework tf1,keras] [--reasons 30] [--files]

Prints, per framework of the labels: programs, those not present, not Python 3, or that crash the tracer; of the tensor
operations performed (a library call whose result stayed unknown counts as one), the share with known rank and with
known shape; and the most frequent reasons why not. Writes ``results/lowering.json``: the frameworks asked for, beside what
it holds.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import results
from benchmarks.recall.score import root_of
from dllint.config.discovery import Configuration
from dllint.engine.coverage import Coverage, coverage_of
from dllint.engine.session import Session
from dllint.source.document import Document
from dllint.source.encoding import UndecodableError

HERE = Path(__file__).parent
#: Reasons of gaps that stand for a call of a tensor library whose result nothing is known about.
_UNFOLLOWED = ("unmodelled-call", "unmodelled-op", "no-signature")


@dataclass(slots=True)
class Tally:
    """What was seen of the programs of one framework."""

    programs: int = 0
    absent: int = 0
    not_parsed: list[str] = field(default_factory=list)
    crashed: list[str] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)

    @property
    def unfollowed(self) -> int:
        """Calls of tensor libraries that became no operation."""
        return sum(count for reason, count in self.coverage.reasons.items() if reason.startswith(_UNFOLLOWED))

    def record(self, reasons: int) -> dict[str, Any]:
        """The figures as they are written."""
        whole = max(self.coverage.operations + self.unfollowed, 1)
        return {
            "commit": results.commit(),
            "programs": self.programs,
            "absent": self.absent,
            "not_python_3": len(self.not_parsed),
            "crashed": self.crashed,
            "operations": self.coverage.operations + self.unfollowed,
            "rank": round(self.coverage.rank / whole, 3),
            "shape": round(self.coverage.shape / whole, 3),
            "reasons": dict(self.coverage.reasons.most_common(reasons)),
        }


def main() -> None:
    """Trace, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--framework", default="")
    parser.add_argument("--reasons", type=int, default=30)
    parser.add_argument("--files", action="store_true", help="Print a line per program.")
    options = parser.parse_args()
    wanted = set(filter(None, options.framework.split(",")))
    tallies: dict[str, Tally] = {}
    session = Session(Configuration())
    for framework, name, path in programs(options.peers.resolve()):
        if not wanted or framework in wanted:
            trace(tallies.setdefault(framework, Tally()), name, path, session, options.files)
    records = {framework: tally.record(options.reasons) for framework, tally in sorted(tallies.items())}
    for framework, record in records.items():
        show(framework, record)
    print(f"written: {results.write('lowering', earlier() | records).name}")


def earlier() -> dict[str, Any]:
    """The records in the result file, which frameworks that are not measured now keep."""
    path = results.RESULTS / "lowering.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {name: record for name, record in known.items() if isinstance(record, dict)}


def programs(peers: Path) -> Iterator[tuple[str, str, Path]]:
    """Framework, name and file of every labelled program and of its repaired form, each file once."""
    seen: set[Path] = set()
    for row in map(json.loads, (HERE / "dev.jsonl").read_text(encoding="utf-8").splitlines()):
        for repo, path in ((row["repo"], row["path"]), (row.get("fixed_repo", row["repo"]), row.get("fixed_path"))):
            file = root_of(repo, peers, HERE) / (path or "")
            if path and file not in seen:
                seen.add(file)
                yield row["framework"], f"{repo}:{path}", file


def trace(tally: Tally, name: str, path: Path, session: Session, verbose: bool) -> None:
    """Add one program to a tally."""
    tally.programs += 1
    if not path.is_file():
        tally.absent += 1
        return
    try:
        document = Document.open(path)
    except UndecodableError:
        tally.not_parsed.append(name)
        return
    if document.problem is not None:
        tally.not_parsed.append(name)
        return
    try:
        traced = session.tracer(session.configuration.for_file(path)).trace(document)
    except Exception as error:  # whatever it is, the others are still to be measured
        tally.crashed.append(f"{name}: {type(error).__name__}: {error}")
        return
    found = coverage_of(traced.programs)
    tally.coverage.add(found)
    if verbose:
        print(f"{found.operations:>6} {found.rank / max(found.operations, 1):>7.1%} {found.gaps:>5} gaps  {name}")
    gc.collect()


def show(framework: str, record: dict[str, Any]) -> None:
    """One framework's figures as text."""
    print(
        f"{framework}: {record['programs']} programs, {record['absent']} not present, {record['not_python_3']} not Python 3, "
        f"{len(record['crashed'])} crashed; {record['operations']} operations, rank known {record['rank']:.1%}, "
        f"shape known {record['shape']:.1%}"
    )
    for line in record["crashed"]:
        print(f"  crash  {line}", file=sys.stderr)
    for reason, count in record["reasons"].items():
        print(f"  {count:>6}  {reason}")


if __name__ == "__main__":
    sys.setrecursionlimit(12_000)
    main()
