"""The cases that are left of tests that run as a sample."""

from __future__ import annotations

from itertools import product

import pytest

from tests.conftest import is_drawn


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
