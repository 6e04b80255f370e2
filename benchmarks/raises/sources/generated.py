"""The programs of other benchmarks, and those in this repository that run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.control_flow.comparison import program as random_program
from benchmarks.control_flow.grammar import GRAMMARS
from benchmarks.module_idioms.check import drafted
from benchmarks.module_idioms.hiding import PLAIN
from benchmarks.module_idioms.project import MAIN, written

_ROOT: Final = Path(__file__).parents[3]
_WRITTEN: Final = ("fixtures/clean", "benchmarks/diagnose/programs/healthy")


def idioms(seed: int) -> Iterator[str]:
    """Model classes in the idioms of the field, without end."""
    for number in count(seed):
        yield written(drafted(number), PLAIN, number).files[MAIN]


def flow(seed: int) -> Iterator[str]:
    """Random programs of branches, loops and handlers, without end."""
    return (random_program(number, GRAMMARS["flow"]) for number in count(seed))


def objects(seed: int) -> Iterator[str]:
    """Random programs of classes, containers and closures, without end."""
    return (random_program(number, GRAMMARS["objects"]) for number in count(seed))


def repository(_seed: int) -> Iterator[str]:
    """The programs of this repository that are known to run."""
    for folder in _WRITTEN:
        for path in sorted((_ROOT / folder).glob("*.py")):
            yield path.read_text(encoding="utf-8")
