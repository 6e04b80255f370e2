"""Comparison of a model with baselines on the samples that were seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from dllint.diagnose.baselines.models import (
    Array,
    constant_accuracy,
    constant_errors,
    linear_errors,
    logistic_accuracy,
    pca_errors,
)
from dllint.diagnose.learning import half_width
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import BaselineRecord

#: Rows, numbers in a row, and work that the simple models may cost.
MOST_ROWS: Final = 2000
MOST_FEATURES: Final = 1024
_MOST_WORK: Final = 4_000_000
_LEAST_ROWS: Final = 50
_HELD: Final = 0.3
#: A lead that is of interest: points of accuracy, and share of the error.
_POINTS: Final = 0.05
_SHARE: Final = 0.1
#: Errors of this share of the targets' variance are small, whatever a simple model has.
_REST: Final = 0.05


@dataclass(frozen=True, slots=True)
class Material:
    """Rows with their labels (``classes`` above 0) or targets, and what the model has reached on them: its accuracy, or its
    mean squared error. ``components`` is the size of an autoencoder's narrowest layer, 0 if the model is none."""

    rows: Array
    targets: Array
    classes: int
    reached: float
    components: int
    place: SourcePlace | None


def compare(material: Material) -> Iterator[BaselineRecord]:
    """One record per simple model that fits the task; none if there are too few rows."""
    rows, first = np.unique(material.rows, axis=0, return_index=True)
    # Models may fill in what is missing; the simple ones cannot.
    if len(rows) < _LEAST_ROWS or not (np.isfinite(rows).all() and np.isfinite(material.targets).all()):
        return
    order = np.random.default_rng(0).permutation(len(rows))
    cut = int(len(rows) * (1 - _HELD))
    rows, targets = material.rows[first][order], material.targets[first][order]
    if material.classes:
        yield from _classifiers(material, rows, targets, cut)
    else:
        yield from _regressions(material, rows, targets.reshape(len(targets), -1), cut)


def _classifiers(material: Material, rows: Array, labels: Array, cut: int) -> Iterator[BaselineRecord]:
    known, held = labels[:cut], labels[cut:]
    found = {"constant": constant_accuracy(known, held)}
    if rows.size * material.classes <= _MOST_WORK and rows.shape[1] < cut:
        found["logistic"] = logistic_accuracy(rows[:cut], known, rows[cut:], held)
    for kind, accuracy in found.items():
        margin = half_width(accuracy, len(held)) + _POINTS
        yield BaselineRecord(kind, "accuracy", accuracy, material.reached, margin, len(rows), material.place)


def _regressions(material: Material, rows: Array, targets: Array, cut: int) -> Iterator[BaselineRecord]:
    found = {"constant": constant_errors(targets[:cut], targets[cut:])}
    if material.components:
        found["pca"] = pca_errors(rows[:cut], rows[cut:], material.components)
    elif rows.size <= _MOST_WORK and rows.shape[1] < cut:
        found["linear"] = linear_errors(rows[:cut], targets[:cut], rows[cut:], targets[cut:])
    spread = float(found["constant"].mean())
    for kind, errors in found.items():
        error = float(errors.mean())
        margin = 1.96 * float(errors.std()) / float(np.sqrt(len(errors))) + _SHARE * error + _REST * spread
        yield BaselineRecord(kind, "error", error, material.reached, margin, len(rows), material.place)
