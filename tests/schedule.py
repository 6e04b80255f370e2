"""In which order several processes run the tests: the longest first, in each process.

A process that still has a long test to run when the others are done keeps all waiting. ``--dist worksteal`` of pytest-xdist
gives each process a part of the list, all parts as large, and takes from the end of one for a process that has nothing left. So
each part begins with modules that have long tests, the longest first, and ends with quick ones. Modules stay whole, as they may
have fixtures that cost much.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

LONG_MODULES: Final = Path(__file__).parent / "long_modules.txt"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Duration:
    """Seconds of wall time that a module takes: its longest test, and all of it."""

    longest: float
    whole: float


@dataclass(slots=True)
class _Part:
    #: How many tests it has room for.
    room: int
    seconds: float = 0.0
    modules: list[str] = field(default_factory=list)


def read(lines: Iterable[str]) -> dict[str, Duration]:
    """The durations of modules, of lines ``LONGEST WHOLE MODULE``; comments begin with ``#``."""
    found = (line.split() for line in lines if not line.startswith("#"))
    return {module: Duration(float(longest), float(whole)) for longest, whole, module in found}


def in_parts(tests: Sequence[T], parts: int, module: Callable[[T], str], durations: dict[str, Duration]) -> list[T]:
    """The tests in an order of which each of so many parts begins with modules whose tests take long.

    Args:
        tests: In the order of a single process, in which the tests of a module follow each other.
        parts: How many processes there are, 1 or more.
        module: The module of a test.
        durations: Of the modules that have long tests; of others nothing need be known.

    A module that has more tests than there is room for in any part comes first of the others, and may be torn apart.
    """
    members: defaultdict[str, list[T]] = defaultdict(list)
    for test in tests:
        members[module(test)].append(test)
    dealt = [_Part(len(tests) // parts) for _ in range(parts)]
    longest_first = sorted(members.keys() & durations, key=lambda name: (-durations[name].longest, name))
    over = [name for name in longest_first if not _deal(name, len(members[name]), durations[name], dealt)]
    begun = {name for part in dealt for name in part.modules}
    rest = iter([test for name in dict.fromkeys([*over, *members]) if name not in begun for test in members[name]])
    ordered: list[T] = []
    for left, part in zip(range(parts, 0, -1), dealt, strict=True):
        ends = len(ordered) + (len(tests) - len(ordered)) // left
        ordered += [test for name in part.modules for test in members[name]]
        ordered += islice(rest, ends - len(ordered))
    return ordered


def _deal(name: str, tests: int, took: Duration, dealt: Sequence[_Part]) -> bool:
    """Give a module to the part that takes least time, of those that have room for its tests."""
    if not (having_room := [part for part in dealt if part.room >= tests]):
        return False
    part = min(having_room, key=lambda part: part.seconds)
    part.modules.append(name)
    part.room -= tests
    part.seconds += took.whole
    return True
