"""Intervals of shares."""

from __future__ import annotations

import pytest

from benchmarks.wild.bounds import clustered, wilson


@pytest.mark.parametrize(
    ("events", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (1, 2, 0.0945, 0.9055), (0, 0, 0.0, 1.0)],
)
def test_wilson_at_known_values(events, trials, low, high):
    assert wilson(events, trials) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(("events", "trials"), [(36, 58), (1, 30), (199, 200)])
def test_wilson_ends_where_the_share_is_as_unlikely_as_allowed(events, trials):
    for end in wilson(events, trials):
        assert abs(events / trials - end) == pytest.approx(1.959964 * (end * (1 - end) / trials) ** 0.5, rel=1e-5)


@pytest.mark.parametrize("trials", [1, 7, 100])
def test_wilson_holds_the_share_and_narrows(trials):
    for events in range(trials + 1):
        low, high = wilson(events, trials)
        wide = wilson(events * 10, trials * 10)
        assert 0 <= low <= events / trials <= high <= 1
        assert wide[1] - wide[0] < high - low


def test_what_agrees_inside_groups_is_less_certain():
    alike = clustered([(10, 10)] * 5 + [(0, 10)] * 5)
    mixed = clustered([(5, 10)] * 10)
    assert mixed == (0.5, 0.5)
    assert alike[0] < 0.4
    assert alike[1] > 0.6
    assert clustered([(3, 4), (1, 9)]) == clustered([(3, 4), (1, 9), (0, 0)])
    assert clustered([]) == (0.0, 1.0)
