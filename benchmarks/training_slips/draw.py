"""Draw the scripts of a set.

python -m benchmarks.training_slips.draw --peers DIR --draw N --seed S

Of the repositories that ``benchmarks/wild`` names with a commit and that lie in DIR, and that no earlier draw has: one script
each, in the order of the seed, of those that train by hand with torch (a loop clears, differentiates and steps) or with Keras
(``fit`` or a tape), until there are 20 of torch and 6 of Keras. Then the next ones in that order are taken that have a
place for a kind of fault which has fewer than two so far. Writes ``scripts/N.tsv``.
"""

from __future__ import annotations

import argparse
import ast
import csv
import random
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.training_slips.checking import kinds_in
from benchmarks.training_slips.kinds.kind import Kind

HERE = Path(__file__).parent
SETS = HERE / "scripts"
WILD = HERE.parent / "wild"
TORCH, KERAS, PLACES, LONGEST = 20, 6, 2, 900
_STEP = frozenset({"zero_grad", "backward", "step"})


def main(
    sets: Path = SETS,
    of: Sequence[Kind] | None = None,
    main_of: tuple[int, int] = (TORCH, KERAS),
    description: str | None = __doc__,
) -> None:
    """Draw and write the list."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--draw", type=int, required=True)
    parser.add_argument("--seed", required=True)
    options = parser.parse_args()
    taken = {row[0] for file in sets.glob("*.tsv") if file.stem != str(options.draw) for row in rows(file)}
    chosen = drawn(options.peers, random.Random(options.seed), taken, of, main_of)
    sets.mkdir(exist_ok=True)
    lines = [f"# seed: {options.seed}", "repository\tcommit\tpath", *("\t".join(row) for row in chosen)]
    (sets / f"{options.draw}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(chosen)} scripts")


def drawn(
    peers: Path,
    lot: random.Random,
    taken: set[str],
    of: Sequence[Kind] | None = None,
    main_of: tuple[int, int] = (TORCH, KERAS),
) -> list[tuple[str, str, str]]:
    """The scripts of a set: repository, commit and path. ``main_of``: so many of torch and of Keras are taken in any case."""
    commits = known_commits()
    present = sorted(name for name in commits if name not in taken and (peers / name.replace("/", "+")).is_dir())
    lot.shuffle(present)
    order = [(name, *picked) for name in present if (picked := _script_of(peers / name.replace("/", "+"), lot)) is not None]
    main = [row for row in order if row[2] == "torch"][: main_of[0]] + [row for row in order if row[2] == "keras"][: main_of[1]]
    have = Counter(kind for name, path, _ in main for kind in kinds_in(peers / name.replace("/", "+") / path, of))
    for row in order:
        if row not in main:
            more = kinds_in(peers / row[0].replace("/", "+") / row[1], of)
            if any(have[kind] < PLACES for kind in more):
                main.append(row)
                have.update(more)
    return [(name, commits[name], path) for name, path, _ in main]


def known_commits() -> dict[str, str]:
    """The repositories that ``benchmarks/wild`` names with a commit."""
    files = [*sorted((WILD / "draws").glob("*.tsv")), WILD / "development.tsv", WILD / "repositories.tsv"]
    return {row[0]: row[1] for file in files for row in rows(file) if len(row) > 1 and len(row[1]) >= 12}


def rows(file: Path) -> list[list[str]]:
    """The rows of a list, without its comments and heading."""
    with file.open(encoding="utf-8", newline="") as lines:
        found = [row for row in csv.reader(lines, delimiter="\t") if row and not row[0].startswith("#")]
    return found[1:]


def _script_of(folder: Path, lot: random.Random) -> tuple[str, str] | None:
    """One training script of a repository, and with what it trains."""
    found = [(str(path.relative_to(folder)), how) for path in sorted(folder.rglob("*.py")) if (how := _trains(path))]
    return lot.choice(found) if found else None


def _trains(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    if text.count("\n") > LONGEST:
        return ""
    if (".compile(" in text and ".fit(" in text and "keras" in text) or "GradientTape" in text:
        return "keras"
    return "torch" if ".zero_grad()" in text and ".backward(" in text and _steps_in_a_loop(text) else ""


def _steps_in_a_loop(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError:
        return False
    loops = (node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While)))
    return any({part.attr for part in ast.walk(loop) if isinstance(part, ast.Attribute)} >= _STEP for loop in loops)


if __name__ == "__main__":
    main()
