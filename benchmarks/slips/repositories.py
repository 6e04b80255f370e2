"""The repositories that slips are put into, and how they were drawn.

python -m benchmarks.slips.repositories --peers DIR --seed TEXT [--set N]

Draws among those repositories of ``benchmarks/wild`` (each at the commit that is told there) which are present and define
at least two classes of torch modules, and writes ``repositories.tsv``, or ``repositories-N.tsv`` of others than those that
the sets before it name.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.wild.corpus import DRAWS, REPOSITORIES, Repository, read_draw, table

HERE: Final = Path(__file__).parent
_DRAWN: Final = 30
_FEWEST_MODELS: Final = 2
_LARGEST: Final = 200_000
_MODEL: Final = re.compile(r"^class \w+\((?:\w+\.)*(?:Module|LightningModule)\)", re.MULTILINE)
#: Folders of a checkout that are not its own code.
_FOREIGN: Final = frozenset({".git", "build", "dist", "site-packages", "third_party", "node_modules"})


def listed(number: int = 1) -> list[Repository]:
    """The drawn repositories of a set."""
    return [Repository(row["repository"], row["commit"]) for row in table(_file(number))]


def _file(number: int) -> Path:
    return HERE / ("repositories.tsv" if number == 1 else f"repositories-{number}.tsv")


def model_files(tree: Path) -> Iterator[Path]:
    """The Python files of a checkout that define torch modules, in order."""
    for path in sorted(tree.rglob("*.py")):
        inside = path.relative_to(tree).parts
        if _FOREIGN.isdisjoint(inside) and path.is_file() and path.stat().st_size < _LARGEST and _MODEL.search(text_of(path)):
            yield path


def text_of(path: Path) -> str:
    """A file's text, line breaks as they are."""
    return path.read_bytes().decode("utf-8", errors="replace")


def _candidates() -> Iterator[Repository]:
    for row in table(REPOSITORIES):
        yield Repository(row["repository"], row["commit"])
    for path in sorted(DRAWS.glob("*.tsv")):
        for drawn in read_draw(path).standing:
            if drawn.commit:
                yield Repository(drawn.name, drawn.commit)


def draw(peers: Path, seed: str, number: int = 1) -> list[Repository]:
    """As many repositories as are wanted, by lot, of those that no set before names."""
    used = {repository.name for before in range(1, number) for repository in listed(before)}
    known = {repository.name: repository for repository in _candidates() if repository.name not in used}
    names = sorted(name for name, repository in known.items() if repository.tree(peers).is_dir())
    Random(seed).shuffle(names)
    chosen: list[Repository] = []
    for name in names:
        tree = known[name].tree(peers)
        models = sum(len(_MODEL.findall(text_of(path))) for path in model_files(tree))
        if models >= _FEWEST_MODELS:
            chosen.append(known[name])
        if len(chosen) == _DRAWN:
            break
    return sorted(chosen, key=lambda repository: repository.name)


def main() -> None:
    """Draw and write the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--seed", required=True, help="the hash of the commit that ended the work before the draw")
    parser.add_argument("--set", type=int, default=1, help="which set is drawn (default %(default)s)")
    options = parser.parse_args()
    chosen = draw(options.peers, options.seed, options.set)
    lines = ["repository\tcommit", *(f"{repository.name}\t{repository.commit}" for repository in chosen)]
    _file(options.set).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(len(chosen), "written:", _file(options.set).name)


if __name__ == "__main__":
    sys.exit(main())
