"""Repairs of slips that are found: how many have a fix, and whether it is the known repair.

python -m benchmarks.slips.repairs --peers DIR [--seed N …] [--found 100] [--minutes M] [--keep FOLDER] [--show]

Slips are drawn and proved as ``python -m benchmarks.slips`` does, so many of each repository, until so many are found or the
time is over. Of each found one all fixes are asked for, and the first one is applied and run. It is *equal* to the unchanged
program; *equivalent* (the same results, shapes and parameters); of the *same form* (the same shapes and parameters, other
values); *other* (it runs and gives others); *still raises*, or, of slips that do not raise, *still differs* (what it gives is
what the faulty program gives). The last two, and every fix after which nothing is told any more though the fault is there,
hide the fault.

``--keep`` holds what was drawn, so that a later commit is asked about the same slips, and what was checked at a commit, so
that an interrupted measurement goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks import results
from benchmarks.slips.checking import EQUAL, EQUIVALENT, SAME_FORM, STILL_DIFFERS, STILL_RAISES, Checker
from benchmarks.slips.kinds import KINDS
from benchmarks.slips.repositories import listed, text_of
from benchmarks.slips.running import Runner
from benchmarks.slips.seeding import Slip, slips

Row = dict[str, Any]
_RIGHT: Final = (EQUAL, EQUIVALENT, SAME_FORM)
_HIDES: Final = (STILL_RAISES, STILL_DIFFERS)


@dataclass
class Kept:
    """Rows of a file of JSON lines, by repository and seed; without a folder nothing is kept."""

    path: Path | None
    rows: dict[str, list[Row]]

    @classmethod
    def read(cls, folder: Path | None, name: str) -> Kept:
        """What an earlier run has left."""
        path = folder / f"{name}.jsonl" if folder is not None else None
        kept = cls(path, {})
        for line in path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else ():
            key, rows = json.loads(line)
            kept.rows[key] = rows
        return kept

    def add(self, key: str, rows: list[Row]) -> list[Row]:
        """Keep some rows."""
        self.rows[key] = rows
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key, rows]) + "\n")
        return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, check, print and write the result file; 1 if a fix hides a fault."""
    options = _parser().parse_args(arguments)
    commit = results.commit()
    checked = Kept.read(None if commit.endswith("+") else options.keep, f"checked-{commit}")
    runner, rows, until = Runner(), list[Row](), time.monotonic() + 60 * options.minutes
    for key, root, drawn in _drawn(options, runner):
        if options.draw:
            continue
        if key not in checked.rows:
            checker = Checker()
            checked.add(key, [_checked(slip, root, checker, runner, options) for slip in drawn])
        rows += checked.rows[key]
        if sum(bool(row["found"]) for row in rows) >= options.found or time.monotonic() > until:
            break
    runner.close()
    figures = measured(rows)
    print(json.dumps(figures, indent=1))
    if options.name:
        figures = {"seeds": options.seed, "at most of one repository": options.most, **figures, "rows": rows}
        print("written:", results.write(options.name, figures).name)
    return int(bool(figures["hide the fault"]))


def _drawn(options: argparse.Namespace, runner: Runner) -> Iterator[tuple[str, Path, list[Slip]]]:
    """The proved slips of each repository, those of a later seed after those of an earlier one."""
    for seed in options.seed:
        kept = Kept.read(options.keep, f"drawn-{seed}")
        for repository in listed(options.set):
            root = repository.tree(options.peers.resolve())
            if not root.is_dir() or (options.only and repository.name not in options.only):
                continue
            key = f"{seed} {repository.name} {options.most}"
            if key not in kept.rows:
                found = list(slips(root, f"{seed} {repository.name}", runner, options.most, unproved=False))
                kept.add(key, [_to_data(slip, root) for slip in found])
                print("drawn", key, len(found), flush=True)
            yield key, root, [_slip(row, root) for row in kept.rows[key]]


def _to_data(slip: Slip, root: Path) -> Row:
    data = {**asdict(slip), "kind": slip.kind.name, "file": slip.file.relative_to(root).as_posix()}
    del data["before"]
    return data


def _slip(data: Row, root: Path) -> Slip:
    kind = next(one for one in KINDS if one.name == data["kind"])
    file = root / data["file"]
    return Slip(**{**data, "kind": kind, "file": file, "before": text_of(file)})


def _checked(slip: Slip, root: Path, checker: Checker, runner: Runner, options: argparse.Namespace) -> Row:
    started = time.process_time()
    told = checker.told(slip, root, runner, fixes=True)
    row: Row = {
        "repository": root.name,
        "file": slip.file.relative_to(root).as_posix(),
        "line": slip.line,
        "class": slip.model,
        "kind": slip.kind.name,
        "family": slip.kind.family.value,
        "proof": slip.proof,
        "error": slip.error,
        "found": [f"{f.severity.value} {f.code}:{f.location.span.first.line}" for f in told.findings],
        "hints": sorted({f.code for f in told.hints}),
        "fixes": [[judged, fix.message] for fix, judged in told.fixes],
        "seconds": round(time.process_time() - started, 1),
    }
    if options.show:
        _show(row, slip)
    return row


def _show(row: Row, slip: Slip) -> None:
    print(
        f"{'found ' if row['found'] else 'MISSED'} {row['kind']}: {slip.file}:{row['line']} {row['class']} {row['seconds']} s"
    )
    if not row["found"] or not row["fixes"] or row["fixes"][0][0] not in _RIGHT:
        before, after = slip.before.splitlines(), slip.after.splitlines()
        print("    -", before[slip.line - 1].strip(), "\n    +", after[slip.line - 1].strip())
        print("   ", row["error"] or row["proof"], row["found"], row["hints"])
    for judged, message in row["fixes"]:
        print("    fix:", judged, "|", message, flush=True)


def measured(rows: Sequence[Row]) -> dict[str, Any]:
    """The shares of found slips that have a fix, of first fixes that are the known repair, and those that hide the fault."""
    found = [row for row in rows if row["found"]]
    offered = [row for row in found if row["fixes"]]
    right = [row for row in offered if row["fixes"][0][0] in _RIGHT]
    without = Counter(f"{row['kind']} {row['found'][0].split(':')[0]}" for row in found if not row["fixes"])
    return {
        "slips": len(rows),
        "found": _share(len(found), len(rows)),
        "offered": _share(len(offered), len(found)),
        "right": _share(len(right), len(offered)),
        "hide the fault": sum(row["fixes"][0][0] in _HIDES for row in offered),
        "the first fix": dict(Counter(row["fixes"][0][0] for row in offered).most_common()),
        "further fixes": dict(Counter(judged for row in offered for judged, _ in row["fixes"][1:]).most_common()),
        "found without a fix": dict(without.most_common()),
    }


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({100 * part / max(whole, 1):.0f} %)"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True, help="where the repositories lie")
    parser.add_argument("--set", type=int, default=1, help="of the repositories (default %(default)s)")
    parser.add_argument("--seed", action="append", required=True, help="of the places (repeatable)")
    parser.add_argument("--most", type=int, default=5, help="proved slips of one repository (default %(default)s)")
    parser.add_argument("--found", type=int, default=100, help="until so many are found (default %(default)s)")
    parser.add_argument("--minutes", type=float, default=1e6, help="no repository is begun after so many minutes")
    parser.add_argument("--keep", type=Path, help="folder for what was drawn and checked")
    parser.add_argument("--only", action="append", metavar="OWNER/NAME", help="one repository (repeatable)")
    parser.add_argument("--draw", action="store_true", help="only draw, for --keep")
    parser.add_argument("--show", action="store_true", help="each slip, with the changed line where it has no right fix")
    parser.add_argument("--name", default="", help="write this result file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
