"""Inlay hints and hovers in public model files against what their names hold when the files run.

python -m benchmarks.editor.truth draw --checkouts FOLDER --seed N [--files 25]
python -m benchmarks.editor.truth measure --checkouts FOLDER --seed N [--only TEXT] [--show] [--as NAME]

``draw`` shuffles the files that have a class of models and a main part, statements or a test function that give it random
tensors, runs one after the other, and keeps those that end well and assign tensors in ``forward`` or ``call``; each repository
gives at most two files, the second one when every repository has been tried once, and none that an earlier draw has. Files that
import what is neither installed nor theirs are passed over. The list
``files-SEED.tsv`` is kept after each file, so that a draw may be ended at any of them; it is committed before it is measured.
``measure`` runs them again with a recorder (``recorder.py``) and asks the language server about the same places.

A hint is *right* if number of axes, element type and every number in it agree with all tensors that the name held,
*partly* if something in it is unknown, *wrong* otherwise. A symbol agrees with every size; if it stands for one size only
in the hints of a call, what is computed from it has to agree, too. Hovers are counted at names and attributes that are read
or assigned to and held a tensor, a tuple of tensors, or a module; ``self`` is counted apart.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import results
from benchmarks.editor.truth.asking import Asked
from benchmarks.editor.truth.drawing import candidates, is_runnable, recorded, shuffled
from benchmarks.editor.truth.hints import broken_relations, sizes_in, verdict

HERE = Path(__file__).parent
_KINDS_WITH_HINTS = ("store", "unpacked")
#: A file is drawn if its ``forward`` and ``call`` assign tensors to so many names at least.
_FEWEST = 3
_MOST_OF_A_REPOSITORY = 2


def main() -> None:
    """Draw or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("draw", "measure"))
    parser.add_argument("--checkouts", type=Path, required=True, action="append", help="may be given several times")
    parser.add_argument("--seed", type=int, default=2312)
    parser.add_argument("--files", type=int, default=25)
    parser.add_argument("--only", default="")
    parser.add_argument("--as", dest="name", default="", help="name of the result file")
    parser.add_argument("--show", action="store_true", help="the places that are not right")
    options = parser.parse_args()
    if options.what == "draw":
        draw(options.checkouts, options.seed, options.files)
    else:
        sys.exit(measure(options))


def draw(checkouts: Sequence[Path], seed: int, wanted: int) -> None:
    """Write the list of files."""
    earlier = {row for path in HERE.glob("files-*.tsv") if path != _list(seed) for row in _rows(path)}
    found: list[tuple[str, str]] = []
    tried = 0
    for repository, file in shuffled(candidates(checkouts), seed):
        name = repository.name
        if len(found) == wanted:
            break
        if (name, file) in earlier or Counter(other for other, _ in found)[name] == _MOST_OF_A_REPOSITORY:
            continue
        if not is_runnable(repository, file):
            continue
        tried += 1
        record = recorded(repository, file)
        count = len(set(_assigned_in_calls(record["places"])))
        print(f"{name:44} {file:60} {count:4} {record['ended']}", flush=True)
        if not record["ended"] and count >= _FEWEST:
            found.append((name, file))
        _keep(seed, tried, found)


def _keep(seed: int, tried: int, found: Sequence[tuple[str, str]]) -> None:
    head = f"# seed {seed}, {tried} files were tried\n"
    _list(seed).write_text(head + "".join(f"{name}\t{file}\n" for name, file in found), encoding="utf-8")


def _list(seed: int) -> Path:
    return HERE / f"files-{seed}.tsv"


def _rows(path: Path) -> list[tuple[str, str]]:
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [(name, file) for name, file in lines]


def measure(options: argparse.Namespace) -> int:
    """Measure the files of the list; 1 if a hint is wrong."""
    listed = [(name, file) for name, file in _rows(_list(options.seed)) if options.only in f"{name}/{file}"]
    rows = []
    for name, file in listed:
        repository = next(folder / name for folder in options.checkouts if (folder / name).exists())
        rows.append(_measured(repository, file, options.show))
        print(f"{name}/{file}: {rows[-1]}", flush=True)
    total: dict[str, Counter[str]] = {}
    for row in rows:
        for part, counts in row.items():
            total.setdefault(part, Counter()).update(counts)
    figures = {part: _shares(part, counts) for part, counts in total.items()}
    print(figures)
    if not options.only:
        name = options.name or f"editor-truth-{options.seed}"
        each = [{"file": f"{name}/{file}", **row} for (name, file), row in zip(listed, rows, strict=True)]
        print("written:", results.write(name, {"seed": options.seed, "files": len(rows), **figures, "rows": each}))
    return int(any(counts["wrong"] for counts in total.values()))


def _shares(part: str, counts: Counter[str]) -> dict[str, Any]:
    total = sum(counts[one] for one in ("right", "partly", "none", "wrong", "answered", "unanswered"))
    good = counts["right"] + counts["answered"]
    return {**counts, "share": round(good / total, 4) if total else None}


def _measured(repository: Path, file: str, show: bool) -> dict[str, dict[str, int]]:
    record = recorded(repository, file)
    places = record["places"]
    with Asked(repository.resolve(), repository.resolve() / file) as asked:
        hints = asked.hints()
        told: dict[str, Counter[str]] = {
            part: Counter() for part in ("calls", "elsewhere", "hovers", "hovers_of_self", "relations")
        }
        for place in places:
            hint = hints.get((place["line"], place["end"]), "")
            kinds = [one[0] for one in place["seen"]]
            if hint and kinds:
                result = verdict(hint, place["seen"])
            else:
                result = "none"
            is_assigned = (
                place["kind"] in _KINDS_WITH_HINTS and bool(kinds) and all(k in ("tensor", "tuple", "list") for k in kinds)
            )
            if is_assigned or result == "wrong":
                told["calls" if _is_call(place["scope"]) else "elsewhere"][result] += 1
                if show and result != "right":
                    _tell(file, place, f"{result} {hint}")
                told["calls" if _is_call(place["scope"]) else "elsewhere"]["of which all sizes are numbers"] += (
                    result == "right" and all(size.isdigit() for size in sizes_in(hint))
                )
            if any(kind in ("tensor", "tuple", "list", "module") for kind in kinds):
                answer = asked.hover(place["line"], place["start"])
                part = "hovers_of_self" if place["name"] == "self" else "hovers"
                told[part]["answered" if answer else "unanswered"] += 1
                if show and not answer and place["name"] != "self":
                    _tell(file, place, "no hover")
        for frame in record["frames"]:
            hinted = [(hints.get((places[at]["line"], places[at]["end"]), ""), seen) for at, seen in frame]
            for broken in dict.fromkeys(broken_relations([(hint, seen) for hint, seen in hinted if hint])):
                told["relations"]["wrong"] += 1
                print(f"    {file}: {broken}")
    return {part: dict(counts) for part, counts in told.items()}


def _tell(file: str, place: dict[str, Any], what: str) -> None:
    print(
        f"    {file}:{place['line']}:{place['start']} {place['kind']} {place['name']} in {place['scope']}:",
        what,
        place["seen"][:3],
    )


def _is_call(scope: str) -> bool:
    return scope.rpartition(".")[2] in ("forward", "call") and "." in scope


def _assigned_in_calls(places: list[dict[str, Any]]) -> list[tuple[int, int]]:
    return [
        (place["line"], place["start"])
        for place in places
        if place["kind"] in _KINDS_WITH_HINTS and _is_call(place["scope"]) and any(one[0] == "tensor" for one in place["seen"])
    ]


if __name__ == "__main__":
    main()
