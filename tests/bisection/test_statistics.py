"""Error rates of the tests, by simulation with fixed seeds."""

from __future__ import annotations

import numpy as np
import pytest

from dllint.bisection.statistics.paired import mcnemar, paired_contrast
from dllint.bisection.statistics.sequential import Change, SequentialChange
from dllint.bisection.statistics.visible import smallest_visible_drop


def flips(generator: np.random.Generator, size: int, falls: float, rises: float) -> np.ndarray:
    drawn = generator.random(size)
    return np.where(drawn < falls, -1.0, np.where(drawn < falls + rises, 1.0, 0.0))


def test_mcnemar_is_the_tail_of_a_fair_coin():
    assert mcnemar(5, 0) == pytest.approx(1 / 32)
    assert mcnemar(3, 2) == pytest.approx(0.5)
    assert mcnemar(0, 4) == pytest.approx(1.0)


def test_no_difference_has_no_evidence():
    same = paired_contrast(np.ones(50), np.ones(50))
    assert (same.difference, same.low, same.high, same.p_drop, same.p_rise) == (0, 0, 0, 1, 1)


def test_the_interval_covers_the_truth():
    generator = np.random.default_rng(5)
    covered = 0
    for _ in range(200):
        contrast = paired_contrast(np.zeros(400), flips(generator, 400, 0.08, 0.05), level=0.95)
        covered += contrast.low <= -0.03 <= contrast.high
    assert covered >= 180


def test_signs_drawn_at_random_keep_their_level():
    generator = np.random.default_rng(6)
    p_values = [paired_contrast(np.zeros(60), generator.normal(size=60)).p_drop for _ in range(120)]
    assert sum(p <= 0.05 for p in p_values) <= 14
    assert paired_contrast(np.zeros(60), generator.normal(-1, 1, size=60)).p_drop <= 0.001


def test_stopping_early_is_seldom_wrong_and_finds_what_is_large():
    generator = np.random.default_rng(7)
    wrong = sum(watched(flips(generator, 1024, 0.05, 0.05), 0.03) in (Change.FALL, Change.RISE) for _ in range(100))
    assert wrong <= 3
    assert all(watched(flips(generator, 1024, 0.4, 0.05), 0.03) is Change.FALL for _ in range(20))
    assert all(watched(flips(generator, 1024, 0.05, 0.4), 0.03) is Change.RISE for _ in range(20))
    assert watched(np.zeros(1024), 0.05) is Change.NONE


def watched(differences: np.ndarray, visible: float) -> Change:
    test = SequentialChange(0.01, visible)
    for chunk in np.split(differences, 8):
        change = test.update(chunk)
        if change is not Change.OPEN:
            return change
    return change


@pytest.mark.parametrize("times", [1.0, 1.5])
def test_the_visible_drop_is_seen(times):
    generator = np.random.default_rng(8)
    size, alpha = 512, 0.005
    contrast = paired_contrast(np.zeros(2 * size), flips(generator, 2 * size, 0.06, 0.04), 0.99)
    drop = times * smallest_visible_drop(contrast, size, alpha)
    seen = 0
    for _ in range(100):
        tests = [paired_contrast(np.zeros(size), flips(generator, size, 0.04 + drop, 0.04)) for _ in range(2)]
        seen += all(test.p_drop <= alpha for test in tests)
    assert seen >= (75 if times == 1.0 else 95)
