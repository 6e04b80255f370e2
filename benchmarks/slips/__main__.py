"""Slips put into model code of public repositories: how many are found, and whether their repairs are offered.

python -m benchmarks.slips --peers DIR [--seed N] [--fixes] [--only OWNER/NAME] [--kind TEXT] [--missed]

Into the models of 30 repositories (``repositories.tsv``, which lie in DIR as ``owner+name``) slips of more than 40 kinds
are put, at places drawn by lot: in each repository ten that are proved, each of another kind; with ``--unproved`` one more
of each kind in a class that cannot be run here. A slip is proved by running its class, or one that is built of it, on
random input: the unchanged file runs; with the slip it raises and no other input is found that it takes, or, of kinds that
are not about shapes, it gives other results, parameters or gradients. What is run is definitions only, in a child without
network that writes no files. A slip is *found* if there is an error or a warning about the file, or one that imports it,
that the unchanged file does not have. The unchanged files are the twins: errors in classes of theirs that ran are listed.

``--fixes`` asks for the fixes of what is found and compares the first one with the known repair: *equal* to the unchanged
program, *equivalent* (it runs, with the same results, shapes and parameters), of the *same form* (with other values), *other*
(it runs and gives others), *still raises*; of what does not raise, *still differs*.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks import results
from benchmarks.slips.checking import EQUAL, EQUIVALENT, SAME_FORM, Checker, Told
from benchmarks.slips.kinds import Family
from benchmarks.slips.repositories import listed
from benchmarks.slips.running import Runner
from benchmarks.slips.seeding import NOT_RUN, RAISES, Slip, slips
from dllint.finding import Severity

Row = dict[str, Any]
_NOT_PRESENT: Final = "not present"


def main(arguments: Sequence[str] | None = None) -> int:
    """Seed, check, print and write the result file; 1 if an error is told of a class that runs."""
    options = _parser().parse_args(arguments)
    runner, rows, false = Runner(), list[Row](), list[str]()
    absent: list[str] = []
    until = time.monotonic() + 60 * options.minutes
    for repository in listed(options.set):
        root = repository.tree(options.peers.resolve())
        if (options.only and repository.name not in options.only) or time.monotonic() > until:
            continue
        if not root.is_dir():
            absent.append(repository.name)
            continue
        checker = Checker()
        twins: dict[Path, tuple[str, set[str]]] = {}
        for slip in slips(root, f"{options.seed} {repository.name}", runner, options.most, unproved=options.unproved):
            if options.kind and options.kind not in slip.kind.name:
                continue
            told = checker.told(slip, root, runner, fixes=options.fixes)
            rows.append(_row(repository.name, root, slip, told))
            _show(rows[-1], slip, told, options)
            twins.setdefault(slip.file, (slip.before, set()))[1].update(slip.healthy)
        for path, (text, healthy) in twins.items():
            false += _false(checker, path, text, healthy, root)
    runner.close()
    figures = measured(rows, false, absent, options)
    _print(figures)
    if not options.only and not options.kind:
        print("written:", results.write("slips", {**figures, "rows": rows}).name)
    return int(bool(false))


def _row(repository: str, root: Path, slip: Slip, told: Told) -> Row:
    row = {
        "repository": repository,
        "file": slip.file.relative_to(root).as_posix(),
        "line": slip.line,
        "class": slip.model,
        "kind": slip.kind.name,
        "family": slip.kind.family.value,
        "proof": slip.proof,
        "error": slip.error,
        "found": [f"{f.severity.value} {f.code}:{f.location.span.first.line}" for f in told.findings],
        "hints": sorted({f.code for f in told.hints}),
    }
    return row | ({"fixes": [judged for _, judged in told.fixes]} if told.fixes else {})


def _false(checker: Checker, path: Path, text: str, healthy: set[str], root: Path) -> list[str]:
    """Errors in the classes of an unchanged file that ran."""
    import ast

    spans = [
        range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef) and node.name in healthy
    ]
    return [
        f"{path.relative_to(root.parent)}:{f.location.span.first.line} {f.code} {f.message}"
        for f in checker.clean(path, text)
        if f.severity is Severity.ERROR
        and f.location.path == path
        and any(f.location.span.first.line in span for span in spans)
    ]


def measured(rows: Sequence[Row], false: Sequence[str], absent: Sequence[str], options: argparse.Namespace) -> dict[str, Any]:
    """The shares found, by family, proof and kind, and what the fixes are."""
    proved = [row for row in rows if row["proof"] != NOT_RUN]
    by_kind: dict[str, list[Row]] = defaultdict(list)
    for row in proved:
        by_kind[row["kind"]].append(row)
    figures: dict[str, Any] = {
        "seed": options.seed,
        "set of repositories": options.set,
        "at most of one repository": options.most,
        _NOT_PRESENT: list(absent),
        "repositories": len({row["repository"] for row in rows}),
        "proved": share(proved),
        "proved, shape kinds": share([row for row in proved if row["family"] == Family.SHAPE.value]),
        "proved, raise": share([row for row in proved if row["proof"] == RAISES]),
        "proved, other kinds": share([row for row in proved if row["family"] != Family.SHAPE.value]),
        "not run": share([row for row in rows if row["proof"] == NOT_RUN]),
        "errors in classes that run": list(false),
        "kinds": {kind: share(found) for kind, found in sorted(by_kind.items())},
        "kinds in all": len(by_kind),
    }
    return figures | ({"fixes": fixes(proved)} if options.fixes else {})


def share(rows: Sequence[Row]) -> str:
    """``found/all (percentage)``."""
    found = sum(bool(row["found"]) for row in rows)
    return f"{found}/{len(rows)} ({100 * found / max(len(rows), 1):.0f} %)"


def fixes(proved: Sequence[Row]) -> dict[str, Any]:
    """Of found slips that are proved: how many have a fix, and what the first one makes of the program."""
    found = [row for row in proved if row["found"]]
    first = Counter(row["fixes"][0] for row in found if row.get("fixes"))
    right = first[EQUAL] + first[EQUIVALENT] + first[SAME_FORM]
    return {"found": len(found), "offered": first.total(), "right": right, "what the first fix is": dict(first.most_common())}


def _show(row: Row, slip: Slip, told: Told, options: argparse.Namespace) -> None:
    where = f"{row['repository']} {row['file']}:{row['line']} {row['class']}"
    print(f"{'found ' if row['found'] else 'MISSED'} {row['proof']:8} {row['kind']}: {where}", flush=True)
    if options.missed and not row["found"]:
        before, after = slip.before.splitlines(), slip.after.splitlines()
        print(
            "    -", before[slip.line - 1].strip(), "\n    +", after[slip.line - 1].strip(), "\n   ", row["error"], row["hints"]
        )
    for fix, judged in told.fixes:
        print("    fix:", judged, "|", fix.message)


def _print(figures: dict[str, Any]) -> None:
    for name, value in figures.items():
        if isinstance(value, dict):
            print(f"{name}:", *(f"  {key:45} {one}" for key, one in value.items()), sep="\n")
        else:
            print(f"{name}: {value}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True, help="where the repositories lie")
    parser.add_argument("--set", type=int, default=1, help="of the repositories (default %(default)s)")
    parser.add_argument("--seed", default="1", help="of the places (default %(default)s)")
    parser.add_argument("--most", type=int, default=10, help="proved slips of one repository (default %(default)s)")
    parser.add_argument("--minutes", type=float, default=1e6, help="no repository is begun after so many minutes")
    parser.add_argument("--unproved", action="store_true", help="slips in classes that cannot be run, too")
    parser.add_argument("--fixes", action="store_true", help="ask for fixes and judge them")
    parser.add_argument("--only", action="append", metavar="OWNER/NAME", help="one repository (repeatable); nothing is written")
    parser.add_argument("--kind", default="", help="kinds whose name has this text; nothing is written")
    parser.add_argument("--missed", action="store_true", help="show the changed line of what is not found")
    return parser


if __name__ == "__main__":
    sys.exit(main())
