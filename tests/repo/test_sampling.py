"""The cases that are left of tests that run as a sample."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

from tests.sampling import ASKED, FEW, REPEATS, THINNER, WHOLE, covering, few, is_drawn, is_product, thinned


@pytest.mark.parametrize("every", [1, 2, 3, 5])
def test_one_of_so_many_cases_is_drawn(every):
    drawn = [number for number in range(100 * every) if is_drawn(number, every)]
    assert len(drawn) == 100
    assert drawn[0] == 0


@pytest.mark.parametrize(("every", "rows", "columns"), [(2, 26, 2), (2, 8, 2), (3, 24, 3), (3, 16, 2), (2, 5, 4)])
def test_each_value_of_two_parameters_is_drawn(every, rows, columns):
    drawn = [case for number, case in enumerate(product(range(rows), range(columns))) if is_drawn(number, every)]
    assert {column for _, column in drawn} == set(range(columns))
    if columns >= every:
        assert {row for row, _ in drawn} == set(range(rows))


@pytest.mark.parametrize("every", [1, 2, 3, 5])
@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_a_test_goes_through_one_of_so_many_cases_or_all(monkeypatch, every, size):
    monkeypatch.setattr(ASKED, "every_case", False)
    monkeypatch.setattr(ASKED, "few_cases", False)
    drawn = [thinned(range(size), every, first) for first in range(every)]
    assert all(0 < len(cases) <= size // every + 2 for cases in drawn)
    assert len({case for cases in drawn for case in cases}) > size // 2
    monkeypatch.setattr(ASKED, "few_cases", True)
    assert 0 < len(thinned(range(size), every)) <= size // (every * THINNER) + 2
    monkeypatch.setattr(ASKED, "every_case", True)
    assert thinned(range(size), every) == list(range(size))


def grid(*sizes: int) -> list[dict[str, int]]:
    """The product of parameters with so many values."""
    return [dict(zip("abcd", values, strict=False)) for values in product(*map(range, sizes))]


@pytest.mark.parametrize("sizes", [(18, 11), (40, 2), (13, 4, 2), (10, 12, 7), (5, 5, 3, 3), (1, 30, 8)])
def test_of_a_product_each_value_runs_several_times_and_each_pair_once(sizes):
    cases = grid(*sizes)
    drawn = [cases[number] for number in covering(cases)]
    values = Counter(item for case in drawn for item in case.items())
    for (name, value), times in Counter(item for case in cases for item in case.items()).items():
        assert values[name, value] >= min(REPEATS, times)
    if len(sizes) > 2:
        pairs = {pair for case in drawn for pair in combinations(case.items(), 2)}
        assert pairs == {pair for case in cases for pair in combinations(case.items(), 2)}


def test_large_products_are_left_out_for_the_most_part():
    assert len(covering(grid(20, 20))) < 400 // 3
    assert len(covering(grid(8, 8, 8))) < 512 // 3


def test_lists_and_small_products_run_as_a_whole():
    calls = [{"call": number, "type": number % 3} for number in range(100)]
    assert not is_product(calls)
    assert len(covering(calls)) == 100
    assert len(covering(grid(WHOLE // 4, 4))) == WHOLE


def test_a_product_with_a_few_combinations_missing_is_one():
    assert is_product([case for case in grid(10, 10) if case["a"] or case["b"]])


@pytest.mark.parametrize("is_slow", [False, True])
@pytest.mark.parametrize("count", [1, 2, 5, 40, 300])
def test_a_few_cases_of_each_test_run_in_their_order(count, is_slow):
    first, every = FEW[is_slow]
    drawn = few(range(count), is_slow)
    assert drawn == sorted(set(drawn))
    assert len(drawn) == min(count, first + max(count - first, 0) // every)


def test_of_many_cases_those_that_run_lie_everywhere():
    drawn = few(range(400), is_slow=False)
    assert all(any(part * 40 <= number < part * 40 + 40 for number in drawn) for part in range(10))
