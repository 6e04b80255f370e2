"""Which tests try a mutant, and in which order: what is quick and executes little besides it comes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.mutation.coverage import Coverage, KnownTest

#: Seconds that the first round may take; most mutants die there.
FIRST_ROUND_S: Final = 6.0
#: How many cases of one test function the first round takes.
_CASES: Final = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """Tests by round, and how many of those that execute the mutant are left out for want of time."""

    rounds: Sequence[Sequence[KnownTest]]
    left_out: int


def plan(touching: Sequence[KnownTest], coverage: Coverage, seconds: float) -> Plan:
    """Two rounds of tests that take about so many ``seconds`` together, the import of their modules included.

    A test may use what an earlier one of its module has made, so that only the earlier one executes the mutant; if time is
    left, the other tests of such modules are run as well.
    """
    first = _taken(_ranked(touching), coverage, FIRST_ROUND_S, _CASES)
    later = [test for test in _ranked(touching) if test not in first]
    second = _taken(later, coverage, seconds - FIRST_ROUND_S)
    left_out = len(touching) - len(first) - len(second)
    if not left_out:
        modules, known = {test.module for test in touching}, set(touching)
        beside = _ranked(test for test in coverage.tests.values() if test.module in modules and test not in known)
        second |= _taken(beside, coverage, seconds - FIRST_ROUND_S - sum(test.seconds for test in second))
    return Plan([by_module(tests) for tests in (first, second) if tests], left_out)


def by_module(tests: Iterable[KnownTest]) -> list[KnownTest]:
    """The tests of one module one after the other, so that what they share is made once."""
    place: dict[str, int] = {}
    found = list(tests)
    for test in found:
        place.setdefault(test.module, len(place))
    return sorted(found, key=lambda test: place[test.module])


def _ranked(tests: Iterable[KnownTest]) -> list[KnownTest]:
    return sorted(tests, key=lambda test: (test.breadth * (1 + test.seconds), test.name))


def _taken(tests: Iterable[KnownTest], coverage: Coverage, seconds: float, cases: int | None = None) -> dict[KnownTest, None]:
    """The tests, from the first on, that fit into the time; one fits in any case."""
    taken: dict[KnownTest, None] = {}
    imported: set[str] = set()
    functions: Counter[str] = Counter()
    left = seconds
    for test in tests:
        function = test.name.partition("[")[0]
        cost = test.seconds + (0.0 if test.module in imported else coverage.import_seconds.get(test.module, 0.0))
        if (cost <= left or not taken) and (cases is None or functions[function] < cases):
            taken[test] = None
            imported.add(test.module)
            functions[function] += 1
            left -= cost
    return taken
