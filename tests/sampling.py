"""Which cases of a generated test run: all of a list, of a product of parameters enough to have each value several times.

What a case has alone, such as one call and what it gives, is never left out; combinations of values that others have too are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Final, TypeVar
from zlib import crc32

#: In how many cases a value of a parameter is, where there are as many.
REPEATS: Final = 2
#: Products of so many cases or fewer run as a whole.
WHOLE: Final = 20

#: With ``--few-cases``, so many cases of a test run whatever there is, and one of so many of the others; by whether it is slow.
FEW: Final = {False: (2, 10), True: (1, 6)}
#: With ``--few-cases``, a test that goes through its cases by itself takes one of so many of those that it would take.
THINNER: Final = 4

Case = Mapping[str, Hashable]
T = TypeVar("T")


@dataclass(slots=True)
class _Asked:
    """What the command line asks for; ``tests/conftest.py`` sets it before tests are imported."""

    every_case: bool = False
    few_cases: bool = False


ASKED: Final = _Asked()


def thinned(cases: Iterable[T], every: int, first: int = 0) -> list[T]:
    """Of cases that a test goes through by itself, one of so many; all of them with ``--every-case``, fewer with
    ``--few-cases``.

    Tests that go through the same cases give different numbers as ``first``, so that each draws others.
    """
    found = list(cases)
    if ASKED.every_case:
        return found
    if ASKED.few_cases:
        every *= THINNER
    return [case for number, case in enumerate(found) if is_drawn(number, every, first)] or found[:1]


def is_drawn(number: int, every: int, first: int = 0) -> bool:
    """Whether a case is one of the sample: that with the number ``first``, and one of every further ``every`` that follow each
    other, which one goes by their place, so that each value of two parameters is drawn where both have many."""
    row = number // every
    return number % every == (first + (crc32(b"%d" % row) if row else 0)) % every


def few(cases: Sequence[T], is_slow: bool) -> list[T]:
    """Of the cases of a test those that run with ``--few-cases``, in their order; which ones goes by their place alone."""
    first, every = FEW[is_slow]
    count = first + max(len(cases) - first, 0) // every
    drawn = sorted(range(len(cases)), key=lambda number: crc32(b"%d" % number))[:count]
    return [cases[number] for number in sorted(drawn)]


def covering(cases: Sequence[Case]) -> set[int]:
    """The numbers of the cases that run.

    Of a product, each value of each parameter is in ``REPEATS`` of them or more, and of three parameters or more, each pair of
    values of two parameters is in one. What is no product, or a small one, runs as a whole.
    """
    if len(cases) <= WHOLE or not is_product(cases):
        return set(range(len(cases)))
    drawn: set[int] = set()
    seen: Counter[Hashable] = Counter()
    for number in sorted(range(len(cases)), key=lambda number: crc32(b"%d" % number)):
        wanted = dict(_wanted(cases[number]))
        if any(seen[part] < times for part, times in wanted.items()):
            drawn.add(number)
            seen.update(wanted.keys())
    return drawn


def is_product(cases: Sequence[Case]) -> bool:
    """Whether the cases are nearly all combinations of the values of two parameters or more."""
    sizes = [len({case[name] for case in cases}) for name in cases[0]]
    return sum(size > 1 for size in sizes) > 1 and 4 * len(cases) >= 3 * prod(sizes)


def _wanted(case: Case) -> Iterator[tuple[Hashable, int]]:
    """Parts of a case, and in how many cases each is to be."""
    values = list(case.items())
    yield from ((value, REPEATS) for value in values)
    if len(values) > 2:
        yield from ((pair, 1) for pair in combinations(values, 2))
