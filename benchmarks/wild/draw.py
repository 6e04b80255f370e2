"""Draw repositories from the list of candidates.

python -m benchmarks.wild.draw --draw N --seed COMMIT                    which ones, before anybody has seen them
python -m benchmarks.wild.draw --draw N --settle FETCHED --peers DIR     after they were fetched

The draw takes 40 of ``candidates.tsv``, as many of each kind as of any other (where the kinds do not go up evenly, the seed
says which get one more), none of an earlier draw or of ``development.tsv``, and writes ``draws/N.tsv``. The same seed always
draws the same.

``FETCHED`` has a line ``owner/name commit`` for each drawn repository that lies in DIR as ``owner+name``, and ``owner/name -``
for each that cannot be had. One that cannot be had, that has no Python file or notebook that imports a framework, or that is
smaller than 200 or larger than 30,000 lines is replaced by the next of its kind (of any, where that kind is used up) in the
order of the draw; both stay in the table, with the reason. What came as a replacement is fetched and settled in turn. Where all
of a draw's list is used up, replacements come from what was listed for the next draw.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.wild.corpus import DRAWS, HERE, Draw, Drawn, Repository, draw_file, read_draw, table, write_draw
from dllint.engine.reading import Source, read_source

CANDIDATES: Final = HERE / "candidates.tsv"
#: Candidates that were read to find causes of false findings.
DEVELOPMENT: Final = HERE / "development.tsv"
SIZE: Final = 40
_SMALLEST, _LARGEST = 200, 30_000
_NOT_FETCHED: Final = "-"
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_FRAMEWORKS: Final = r"torch|torchvision|tensorflow|keras|tf_keras|pytorch_lightning|lightning"
_IMPORT = re.compile(rf"^[ \t]*(?:import|from)[ \t]+(?:{_FRAMEWORKS})\b", re.MULTILINE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, or settle what was drawn; the exit status."""
    options = _parser().parse_args(arguments)
    path = draw_file(options.draw)
    candidates = listed(options.draw)
    taken = drawn_before(options.draw)
    if options.settle is None:
        if path.exists():
            print(f"{path.name} is there already; a draw is made once", file=sys.stderr)
            return 2
        drawn = draw(candidates, options.seed, taken)
    elif options.peers is None:
        print("--settle needs --peers", file=sys.stderr)
        return 2
    else:
        drawn = read_draw(path)
        settle(drawn, [candidates, listed(options.draw + 1)], fetched(options.settle), options.peers, taken)
    write_draw(path, drawn)
    waiting = [row.name for row in drawn.standing if not row.commit]
    print(f"{path.name}: {len(drawn.standing)} repositories, {len(waiting)} of them to be fetched", *waiting, sep="\n  ")
    return 0


def listed(number: int) -> dict[str, str]:
    """Kinds of the candidates that a draw may take: the list grew before draws 7 and 15; earlier ones know nothing of that."""
    return {row["repository"]: row["kind"] for row in table(CANDIDATES) if int(row["since"]) <= number}


def draw(candidates: Mapping[str, str], seed: str, taken: frozenset[str] = frozenset(), size: int = SIZE) -> Draw:
    """As many repositories of each kind as of any other, in the order of their lots; of any, where a kind has too few."""
    kinds = by_lot(set(candidates.values()), seed)
    least, more = divmod(size, len(kinds))
    rows = []
    for number, kind in enumerate(kinds):
        names = of_kind(candidates, kind, seed, taken)
        rows += [Drawn(name, kind=kind) for name in names[: least + (number < more)]]
    drawn = {row.name for row in rows}
    rest = by_lot((name for name in candidates if name not in taken and name not in drawn), seed)
    rows += [Drawn(name, kind=candidates[name]) for name in rest[: size - len(rows)]]
    return Draw(seed, rows)


def of_kind(candidates: Mapping[str, str], kind: str, seed: str, taken: frozenset[str]) -> list[str]:
    """The candidates of a kind that were not drawn before, in the order of their lots."""
    return by_lot((name for name, of in candidates.items() if of == kind and name not in taken), seed)


def by_lot(names: Iterable[str], seed: str) -> list[str]:
    """Names in the order that a seed draws; it does not depend on the order in which they are listed."""
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).hexdigest())


def drawn_before(number: int) -> frozenset[str]:
    """All repositories of the draws with lower numbers, replaced ones included, and those that were read for development."""
    earlier = (path for path in DRAWS.glob("*.tsv") if int(path.stem) < number)
    read = (row["repository"] for row in table(DEVELOPMENT))
    return frozenset(row.name for path in earlier for row in read_draw(path).rows).union(read)


def settle(
    drawn: Draw, lists: Sequence[Mapping[str, str]], commits: Mapping[str, str], peers: Path, taken: frozenset[str]
) -> None:
    """Note the commits of what was fetched, and replace what cannot be checked by candidates of the first list that has any."""
    for row in list(drawn.standing):
        commit = commits.get(row.name)
        if row.commit or commit is None:
            continue
        why = "cannot be fetched" if commit == _NOT_FETCHED else unfit(Repository(row.name, commit).tree(peers))
        if why:
            row.note = f"replaced: {why}"
            drawn.rows.insert(drawn.rows.index(row) + 1, reserve(drawn, row, lists, taken))
        else:
            row.commit = commit


def reserve(drawn: Draw, row: Drawn, lists: Sequence[Mapping[str, str]], taken: frozenset[str]) -> Drawn:
    """The next candidate of the same kind; of any, if all of that kind are drawn; of the next list, if all of one are drawn.

    Raises:
        LookupError: there is none left.
    """
    used = taken | {other.name for other in drawn.rows}
    for kinds in lists:
        names = of_kind(kinds, row.kind, drawn.seed, used) or by_lot(set(kinds) - used, drawn.seed)
        if names:
            return Drawn(names[0], kind=kinds[names[0]], replaces=row.name)
    raise LookupError("no candidate is left")


def unfit(tree: Path) -> str:
    """Why a repository cannot be checked; nothing if it can.

    Raises:
        FileNotFoundError: it is not there.
    """
    if not tree.is_dir():
        raise FileNotFoundError(tree)
    lines, imports = 0, False
    for text in texts(tree):
        lines += text.count("\n") + 1
        imports = imports or _IMPORT.search(text) is not None
    if not imports:
        return "no Python file or notebook imports a framework"
    if not _SMALLEST <= lines <= _LARGEST:
        return f"{lines} lines of Python"
    return ""


def texts(tree: Path) -> Iterator[str]:
    """The Python code of a repository's files and notebooks, as far as it can be read."""
    for path in sorted(tree.rglob("*")):
        if path.suffix in (".py", ".ipynb") and path.is_file():
            source = read_source(path, path.read_bytes())
            if isinstance(source, Source):
                yield source.text


def fetched(path: Path) -> dict[str, str]:
    """The commits of a file of lines ``owner/name commit``.

    Raises:
        ValueError: a line is none.
    """
    commits = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, _, commit = line.strip().partition(" ")
        if commit != _NOT_FETCHED and not _COMMIT.fullmatch(commit):
            raise ValueError(f"`{line}` names no commit")
        commits[name] = commit
    return commits


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", type=int, required=True, help="the number of the draw")
    parser.add_argument("--peers", type=Path, help="where the repositories lie")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--seed", type=_commit, help="the hash of the commit that ended the work before the draw")
    how.add_argument("--settle", type=Path, metavar="FETCHED", help="what was fetched")
    return parser


def _commit(text: str) -> str:
    if not _COMMIT.fullmatch(text):
        raise argparse.ArgumentTypeError("not the hash of a commit")
    return text


if __name__ == "__main__":
    sys.exit(main())
