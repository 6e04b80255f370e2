"""Which mutants are tried: drawn by a seed from all of some rooms of the package."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.mutation.mutators import Mutant, candidates, is_valid

ROOMS: Final = ("ops", "lower", "rules", "engine")


class Drawn(NamedTuple):
    """A mutant of a file, which is given below the root of the repository."""

    file: str
    mutant: Mutant


def files_of(tree: Path, rooms: Sequence[str] = ROOMS) -> list[str]:
    """The modules of the rooms, sorted."""
    return sorted(path.relative_to(tree).as_posix() for room in rooms for path in (tree / "dllint" / room).rglob("*.py"))


def draw(tree: Path, files: Sequence[str], count: int, seed: int) -> list[Drawn]:
    """``count`` mutants of as many statements; a larger count begins with the mutants of a smaller one.

    Each statement is as likely as any other, so is each kind of fault that it can have, and each fault of that kind.
    """
    return list(islice(_drawn(tree, files, random.Random(seed)), count))


def _drawn(tree: Path, files: Sequence[str], chance: random.Random) -> Iterator[Drawn]:
    statements = [(file, found) for file in files for found in candidates((tree / file).read_text(encoding="utf-8"))]
    for place in chance.sample(range(len(statements)), len(statements)):
        file, found = statements[place]
        kind = chance.choice(sorted({candidate.kind for candidate in found}))
        source = (tree / file).read_bytes()
        mutant = chance.choice([candidate for candidate in found if candidate.kind == kind]).mutant(source)
        if is_valid(source, mutant):
            yield Drawn(file, mutant)
