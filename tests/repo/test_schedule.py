"""In which order several processes run the tests: the longest first in each, modules as a whole, and nothing is lost."""

from __future__ import annotations

import random
from itertools import groupby

import pytest

from tests.schedule import LONG_MODULES, Duration, in_parts, read

Test = tuple[str, int]


def drawn(number: int) -> tuple[list[Test], dict[str, Duration], int]:
    """Tests of several modules, the durations of some of the modules, and how many processes there are."""
    source = random.Random(number)
    modules = [f"m{name}" for name in range(source.randint(1, 40))]
    tests = [(name, case) for name in modules for case in range(source.randint(1, 30))]
    long = source.sample(modules, source.randint(0, len(modules) // 3))
    durations = {}
    for name in long:
        longest = source.choice([2.0, 5.0, source.uniform(2, 60)])
        durations[name] = Duration(longest, longest + source.uniform(0, 50))
    return tests, durations, source.randint(1, 5)


def module(test: Test) -> str:
    return test[0]


def parts_of(tests: list[Test], parts: int) -> list[list[Test]]:
    """What pytest-xdist gives to each process."""
    given, rest = [], tests
    for number in range(parts):
        size = len(rest) // (parts - number)
        given.append(rest[:size])
        rest = rest[size:]
    return given


def that_fit(tests: list[Test], durations: dict[str, Duration], room: int) -> dict[str, Duration]:
    """The first of the modules, as many as have that many tests together."""
    few: dict[str, Duration] = {}
    for name, took in durations.items():
        if sum(test[0] in few or test[0] == name for test in tests) <= room:
            few[name] = took
    return few


@pytest.mark.parametrize("number", range(200))
def test_all_tests_run_once_and_modules_are_torn_apart_at_borders_only(number):
    tests, durations, parts = drawn(number)
    ordered = in_parts(tests, parts, module, durations)
    assert sorted(ordered) == sorted(tests)
    assert [test for test in ordered if test[0] not in durations] == [test for test in tests if test[0] not in durations]
    runs = [name for name, _ in groupby(ordered, module)]
    assert len(runs) < len(set(runs)) + parts


@pytest.mark.parametrize("number", range(200))
def test_each_process_begins_with_what_takes_longest(number):
    tests, durations, parts = drawn(number)
    few = that_fit(tests, durations, len(tests) // parts)
    given = parts_of(in_parts(tests, parts, module, few), parts)
    begins = []
    for part in given:
        long = [few[test[0]] for test in part if test[0] in few]
        assert [few.get(test[0]) for test in part[: len(long)]] == long
        assert [took.longest for took in long] == sorted((took.longest for took in long), reverse=True)
        begins += [long[0].longest] if long else []
    longest = sorted((took.longest for took in few.values()), reverse=True)[:parts]
    assert sorted(begins, reverse=True) == longest


def test_long_modules_are_shared_out_by_the_time_they_take():
    tests = [(name, case) for name in "abcdefgh" for case in range(4)]
    durations = dict(zip("abcd", map(Duration, (9.0, 8.0, 7.0, 6.0), (30.0, 9.0, 9.0, 9.0)), strict=True))
    first, second = parts_of(in_parts(tests, 2, module, durations), 2)
    assert {name for name, _ in first} & durations.keys() == {"a"}
    assert {name for name, _ in second} & durations.keys() == {"b", "c", "d"}


def test_the_list_names_modules_and_gives_them_durations():
    durations = read(LONG_MODULES.read_text(encoding="utf-8").splitlines())
    assert durations
    for name, took in durations.items():
        assert (LONG_MODULES.parents[1] / name).is_file(), (
            f"{name} is no module: run `python -m benchmarks.test_durations --write`"
        )
        assert 0 < took.longest <= took.whole + 1
