"""The repositories that slips are put into, and how they were drawn.

python -m benchmarks.slips.repositories --peers DIR --seed TEXT

Draws among those repositories of ``benchmarks/wild`` (each at the commit that is told there) which are present and define
at least two classes of torch modules, and writes ``repositories.tsv``.
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
LISTED: Final = HERE / "repositories.tsv"
_DRAWN: Final = 30
_FEWEST_MODELS: Final = 2
_LARGEST: Final = 200_000
_MODEL: Final = re.compile(r"^class \w+\((?:\w+\.)*(?:Module|LightningModule)\)", re.MULTILINE)
#: Folders of a checkout that are not its own code.
_FOREIGN: Final = frozenset({".git", "build", "dist", "site-packages", "third_party", "node_modules"})


def listed() -> list[Repository]:
    """The drawn repositories."""
    return [Repository(row["repository"], row["commit"]) for row in table(LISTED)]


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


def draw(peers: Path, seed: str) -> list[Repository]:
    """As many repositories as are wanted, by lot."""
    known = {repository.name: repository for repository in _candidates()}
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
    options = parser.parse_args()
    chosen = draw(options.peers, options.seed)
    lines = ["repository\tcommit", *(f"{repository.name}\t{repository.commit}" for repository in chosen)]
    LISTED.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(len(chosen), "written:", LISTED.name)


if __name__ == "__main__":
    sys.exit(main())
