"""Simple models on data whose answer is known."""

from __future__ import annotations

import numpy as np

from dllint.diagnose.baselines.comparison import Material, compare
from dllint.diagnose.baselines.models import linear_errors, logistic_accuracy, pca_errors

RANDOM = np.random.default_rng(0)
ROWS = RANDOM.normal(size=(300, 5)) * [1, 10, 100, 1, 1] + 7


def test_a_linear_target_is_restored_exactly():
    targets = ROWS @ RANDOM.normal(size=(5, 2)) + 3
    errors = linear_errors(ROWS[:200], targets[:200], ROWS[200:], targets[200:])
    assert errors.mean() < 1e-3 * targets.var()


def test_classes_that_a_plane_parts_are_told_apart_whatever_the_scale():
    labels = (ROWS[:, 1] + ROWS[:, 2] / 10 > 7.7).astype(int) + 5
    assert logistic_accuracy(ROWS[:200], labels[:200], ROWS[200:], labels[200:]) > 0.95


def test_components_restore_what_lies_in_their_plane():
    flat = RANDOM.normal(size=(300, 2)) @ RANDOM.normal(size=(2, 6))
    assert pca_errors(flat[:200], flat[200:], 2).mean() < 1e-20
    assert pca_errors(flat[:200], flat[200:], 1).mean() > 1e-3


def test_repeated_rows_are_no_evidence():
    material = Material(np.repeat(ROWS[:10], 30, axis=0), np.zeros(300, dtype=int), 2, 0.5, 0, None)
    assert list(compare(material)) == []


def test_every_record_says_what_was_compared():
    material = Material(ROWS, (ROWS[:, 0] > 7).astype(int), 2, 0.4, 0, None)
    records = {record.kind: record for record in compare(material)}
    assert set(records) == {"constant", "logistic"}
    assert records["logistic"].baseline > 0.9 > 0.6 > records["constant"].baseline
    assert records["logistic"].model == 0.4
