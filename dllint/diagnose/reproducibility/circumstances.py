"""Records of a run's conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dllint.diagnose.places import SourcePlace


@dataclass(frozen=True, slots=True)
class Seeding:
    """A call that has seeded a generator (``python``, ``numpy``, ``torch``, ``tensorflow``). ``value`` is empty if the seed
    came from the system; ``step`` is how many optimizer steps had been made."""

    generator: str
    value: str
    place: SourcePlace | None
    step: int = 0


@dataclass(frozen=True, slots=True)
class Generator:
    """A source of random numbers. ``first`` is the seed that it began with, where it tells. ``unseeded``: numbers were drawn
    from it before the program had seeded it (of Python's own, that it never seeds: libraries draw when they are imported)."""

    name: str
    first: str = ""
    unseeded: bool = False


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One of the user's files that were run; ``digest`` is the SHA-256 of its contents."""

    path: str
    digest: str


@dataclass(frozen=True, slots=True)
class Revision:
    """The commit that git has checked out where the program is; ``dirty``: tracked files differ from it."""

    folder: str
    commit: str
    dirty: bool


@dataclass(frozen=True, slots=True)
class Reproducibility:
    """What another run needs to be the same: guide step 8. Data and initial weights are in the records of the steps."""

    command: tuple[str, ...]
    python: str
    versions: Mapping[str, str]
    hardware: Mapping[str, str]
    environment: Mapping[str, str]
    settings: Mapping[str, str] = field(default_factory=dict)
    seeds: tuple[Seeding, ...] = ()
    generators: tuple[Generator, ...] = ()
    sources: tuple[SourceFile, ...] = ()
    revision: Revision | None = None
