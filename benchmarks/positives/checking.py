"""Check every repository that lies in a folder by the rules of training, and keep what is told."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks import measure
from benchmarks.positives.table import corpora, is_of_training
from benchmarks.wild.checking import BUILD, Found, Place
from benchmarks.wild.corpus import HERE as WILD
from benchmarks.wild.corpus import Repository, table

KEPT: Final = BUILD / "positives"
_ROOT: Final = Path(__file__).parents[2]
#: All rules are asked, so that those that are off are told, and those that others make redundant are not.
_CHECK: Final = ("check", "--isolated", "--no-cache", "--exit-zero", "--output-format", "json", "-j", "1", "--show-hints",
                 "--extend-select", "DLO,DLI,DLR,DLG")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Checked:
    """What is told of a repository; ``state`` is ``checked``, or why it was not."""

    repository: str
    state: str
    found: tuple[Found, ...]


def known() -> Mapping[str, Repository]:
    """The repositories of all corpora by their names, with commits, and with the folders that are checked."""
    every = {one.name: one for corpus in corpora() for one in corpus.repositories}
    listed = (Repository(row["repository"], row["commit"]) for row in table(WILD / "development.tsv"))
    return {one.name: one for one in listed} | every


def check_all(peers: Path, limit_s: int, *, kept: bool) -> Iterator[Checked]:
    """Check what lies in a folder as ``owner+name``, small ones first; what was kept before is not checked again, and nothing
    is checked that was not if only what is ``kept`` is asked for."""
    KEPT.mkdir(parents=True, exist_ok=True)
    repositories = known()
    for tree in sorted((path for path in peers.iterdir() if path.is_dir() and "+" in path.name), key=_size):
        name = tree.name.replace("+", "/", 1)
        if kept and not _record(tree).exists():
            continue
        yield _kept_or_checked(repositories.get(name, Repository(name, "")), tree, limit_s)


def _size(tree: Path) -> int:
    return sum(path.stat().st_size for path in tree.rglob("*") if path.suffix in (".py", ".ipynb") and path.is_file())


def _record(tree: Path) -> Path:
    return KEPT / f"{tree.name}.json"


def _kept_or_checked(repository: Repository, tree: Path, limit_s: int) -> Checked:
    path = _record(tree)
    if not path.exists():
        command = [sys.executable, "-P", "-m", "dllint", *_CHECK, *repository.folders]
        done = measure.run(command, str(tree), {"PYTHONPATH": str(_ROOT)}, limit_s)
        try:
            told, state = json.loads(done.stdout), "checked"
        except ValueError:
            told, state = [], f"exit {done.code}"
        path.write_text(json.dumps({"state": state, "told": told}), encoding="utf-8")
    record = json.loads(path.read_text(encoding="utf-8"))
    told = (_found(row, repository.name, tree.resolve()) for row in record["told"])
    return Checked(repository.name, record["state"], tuple(one for one in told if is_of_training(one.place.code)))


def _found(row: Mapping[str, Any], repository: str, tree: Path) -> Found:
    path, at = Path(row["filename"]), row["location"]
    file = path.relative_to(tree).as_posix() if path.is_relative_to(tree) else path.as_posix()
    place = Place(repository, file, row["cell"], at["row"], row["code"], at["column"])
    return Found(place, row["severity"], row["confidence"], row["message"], advice=row.get("advice") or "")
