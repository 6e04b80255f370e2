"""In which releases a library has a name: tables that :mod:`dllint.dev.history` makes by running releases, read on demand.

What was not run stands in the libraries' own tables with the source it was read in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
#: The kinds of objects of Keras that strings name.
KINDS: Final = ("activation", "loss", "metric", "optimizer", "initializer", "regularizer", "constraint")


@dataclass(frozen=True, slots=True)
class History:
    """The names of a library, without its own: by the release that first lacks them (``lacks``) or has them (``has``), and
    the lacking ones that ``compat.v1`` still has (``kept``). ``run``: the releases that were asked, by running them."""

    run: tuple[str, ...]
    lacks: Mapping[str, str]
    has: Mapping[str, str]
    kept: frozenset[str]

    def lacking(self, name: str) -> tuple[str, str] | None:
        """The shortest part of a name that is gone, and the first release without it."""
        return next(((part, self.lacks[part]) for part in _parts(name) if part in self.lacks), None)

    def introduced(self, name: str) -> str | None:
        """The first release that may have a name; ``None`` if all have it, or nothing is known."""
        found = [self.has[part] for part in _parts(name) if part in self.has]
        return found[-1] if found else None


def _parts(name: str) -> Iterator[str]:
    """``a.b.c`` gives ``a``, ``a.b``, ``a.b.c``."""
    at = name.find(".")
    while at >= 0:
        yield name[:at]
        at = name.find(".", at + 1)
    yield name


@cache
def history(library: str) -> History:
    """The history of a library; an empty one if no releases were run."""
    path = _FOLDER / f"{library}.json"
    if not path.is_file():
        return History((), {}, {}, frozenset())
    data = json.loads(path.read_text(encoding="utf-8"))
    return History(tuple(data["run"]), _inverted(data["lacks"]), _inverted(data["has"]), frozenset(data["kept"]))


def _inverted(rows: Mapping[str, list[str]]) -> dict[str, str]:
    return {name: release for release, names in rows.items() for name in names}


@cache
def rejected_keywords() -> Mapping[str, Mapping[str, str]]:
    """Callable of Keras → keyword that it once took → the first release that was run and rejects it."""
    found: dict[str, dict[str, str]] = json.loads((_FOLDER / "keras-keywords.json").read_text(encoding="utf-8"))
    return found


@cache
def upgrades() -> Mapping[str, str]:
    """Name of TensorFlow 1 that ``compat.v1`` lacks, too, or in no history → its successor, both below ``tensorflow``."""
    found: dict[str, str] = json.loads((_FOLDER / "tensorflow-upgrades.json").read_text(encoding="utf-8"))
    return found


@cache
def legacy_weights() -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """Builder of torchvision, under both its names → old keyword → the new one, and the weights that ``True`` stands for (empty
    if they depend on other arguments)."""
    data = json.loads((_FOLDER / "torchvision-weights.json").read_text(encoding="utf-8"))
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for name, row in data.items():
        home, _, builder = f"torchvision.{name}".rpartition(".")
        found[f"{home}.{builder}"] = found[f"{home.rpartition('.')[0]}.{builder}"] = {
            old: (new, weights) for old, (new, weights) in row.items()
        }
    return found


@cache
def identifiers(kind: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The strings that today's Keras resolves to objects of a kind (``activation``), and the further ones that older releases
    may have resolved."""
    rows = json.loads((_FOLDER / "keras-identifiers.json").read_text(encoding="utf-8"))
    row = rows[kind]
    return tuple(row["today"]), frozenset(row["before"])


@cache
def public_names() -> Mapping[str, frozenset[str]]:
    """Module → the names below it in today's release."""
    rows = json.loads((_FOLDER / "public-names.json").read_text(encoding="utf-8"))
    return {module: frozenset(names) for module, names in rows.items()}


@cache
def instance_names() -> Mapping[str, frozenset[str]]:
    """Class of torch → the attributes that its objects may have and those of its base do not; a class that gives its objects
    attributes under computed names is not in it."""
    rows = json.loads((_FOLDER / "instance-names.json").read_text(encoding="utf-8"))
    return {name: frozenset(names) for name, names in rows.items()}
