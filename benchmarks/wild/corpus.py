"""Which repositories are checked, and where their judged findings stand."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
DRAWS: Final = HERE / "draws"
REPOSITORIES: Final = HERE / "repositories.tsv"
JUDGED: Final = HERE / "judged.jsonl"
#: Warnings of a draw that are judged.
WARNINGS_JUDGED: Final = 200

_SEED = re.compile(r"^# seed: (\w+)$")


@dataclass(frozen=True, slots=True)
class Repository:
    """A public repository at a commit; ``folders`` are the parts that are checked, all of it if there are none."""

    name: str
    commit: str
    folders: tuple[str, ...] = ()
    kind: str = ""

    def tree(self, peers: Path) -> Path:
        """Where its files lie."""
        return peers / self.name.replace("/", "+")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Repositories that are checked together, and the table of their judged findings.

    A finding counts as judged if ``readers`` have given a verdict. Of the warnings those in a sample of ``warnings`` are judged
    (``None``: all of them), which ``seed`` draws.
    """

    name: str
    repositories: tuple[Repository, ...]
    judged: Path
    readers: int = 1
    warnings: int | None = None
    seed: str = ""


@dataclass(slots=True)
class Drawn:
    """A row of a draw. ``replaces`` is the repository in whose place it came; ``note`` tells why it was replaced itself."""

    name: str
    commit: str = ""
    folders: str = ""
    kind: str = ""
    replaces: str = ""
    note: str = ""


@dataclass(slots=True)
class Draw:
    """A draw: its seed, and its rows in order."""

    seed: str
    rows: list[Drawn] = field(default_factory=list)

    @property
    def standing(self) -> list[Drawn]:
        """The rows that nothing has replaced."""
        return [row for row in self.rows if not row.note]


def corpus(draw: int | None) -> Corpus:
    """The repositories of the development set, or those of a draw.

    Raises:
        FileNotFoundError: there is no such draw.
    """
    if draw is None:
        return Corpus("36", tuple(_repositories(REPOSITORIES)), JUDGED)
    drawn = read_draw(draw_file(draw))
    kept = (Repository(row.name, row.commit, _folders(row.folders), row.kind) for row in drawn.standing)
    return Corpus(f"draw-{draw}", tuple(kept), DRAWS / f"{draw}.jsonl", 2, WARNINGS_JUDGED, drawn.seed)


def draw_file(number: int) -> Path:
    """Where a draw is written."""
    return DRAWS / f"{number}.tsv"


def read_draw(path: Path) -> Draw:
    """A draw that was written before."""
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    seed = _SEED.match(first)
    if seed is None:
        raise ValueError(f"{path.name} does not begin with its seed")
    return Draw(seed[1], [Drawn(**_renamed(row)) for row in csv.DictReader(lines, delimiter="\t")])


_COLUMNS: Final = {
    "repository": "name",
    "commit": "commit",
    "folders": "folders",
    "kind": "kind",
    "reserve-of": "replaces",
    "note": "note",
}


def write_draw(path: Path, draw: Draw) -> None:
    """Write a draw, one repository a line."""
    path.parent.mkdir(exist_ok=True)
    lines = [f"# seed: {draw.seed}", "\t".join(_COLUMNS)]
    lines += ["\t".join(getattr(row, attribute) for attribute in _COLUMNS.values()) for row in draw.rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def table(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a table with a head line."""
    with path.open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream, delimiter="\t")


def _renamed(row: dict[str, str]) -> dict[str, str]:
    return {_COLUMNS[name]: value for name, value in row.items()}


def _repositories(path: Path) -> Iterable[Repository]:
    return (Repository(row["repository"], row["commit"], _folders(row["folders"])) for row in table(path))


def _folders(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(",")))
