"""Measures of predictions against targets, as plain numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dllint.diagnose.probes.yardstick import Measure

#: Standard errors above the constant predictor that count as better than chance.
_CHANCE: Final = 1.64
_LEAST: Final = -1.0
#: The most frequent class against the rarest one, from which on classes count alike.
_IMBALANCE: Final = 10


@dataclass(frozen=True, slots=True)
class Pairs:
    """A batch of predictions with their targets; ``classes``: both are numbers of classes (a prediction of -1 is none)."""

    predictions: Sequence[float]
    targets: Sequence[float]
    classes: bool


def measure_of(batches: Sequence[Pairs]) -> Measure | None:
    """The measure that suits the targets; ``None`` without any."""
    predictions = [value for batch in batches for value in batch.predictions]
    targets = [value for batch in batches for value in batch.targets]
    if not targets:
        return None
    if batches[0].classes:
        return _accuracy(predictions, targets)
    if set(targets) <= {0.0, 1.0}:
        return _ranking(predictions, targets)
    return _explained(predictions, targets)


def _accuracy(predictions: Sequence[float], targets: Sequence[float]) -> Measure:
    counted = [(p, t) for p, t in zip(predictions, targets, strict=True) if t >= 0]
    seen = Counter(t for _, t in counted)
    if len(seen) > 1 and max(seen.values()) >= _IMBALANCE * min(seen.values()):
        return _balanced(counted, seen)
    count = max(len(counted), 1)
    share = max(Counter(t for _, t in counted).values(), default=0) / count
    chance = _CHANCE * math.sqrt(share * (1 - share) / count)
    return Measure("accuracy", sum(p == t for p, t in counted) / count, min(share + chance, 0.999), len(counted))


def _balanced(counted: Sequence[tuple[float, float]], seen: Mapping[float, int]) -> Measure:
    """Balanced accuracy: the mean over classes of the share of right predictions. Always predicting the most frequent class
    scores no better than chance."""
    hits = Counter(t for p, t in counted if p == t)
    value = sum(hits[label] / count for label, count in seen.items()) / len(seen)
    chance = 1 / len(seen)
    error = math.sqrt(sum(chance * (1 - chance) / count for count in seen.values())) / len(seen)
    return Measure("balanced accuracy", value, min(chance + _CHANCE * error, 0.999), len(counted))


def _ranking(predictions: Sequence[float], targets: Sequence[float]) -> Measure | None:
    """Area under the ROC curve: the probability that a positive sample ranks above a negative one. It needs no threshold, so
    logits and probabilities give the same."""
    positive = sum(targets)
    negative = len(targets) - positive
    if not positive or not negative:
        return None
    floor = 0.5 + _CHANCE * math.sqrt((len(targets) + 1) / (12 * positive * negative))
    if any(math.isnan(value) for value in predictions):
        return Measure(_RANKING, 0.0, floor, len(targets))
    ranks = _ranks(predictions)
    total = sum(rank for rank, target in zip(ranks, targets, strict=True) if target)
    return Measure(_RANKING, (total - positive * (positive + 1) / 2) / (positive * negative), floor, len(targets))


_RANKING: Final = "area under the ROC curve"


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for index in order[first : last + 1]:
            ranks[index] = (first + last) / 2 + 1
        first = last + 1
    return ranks


def _explained(predictions: Sequence[float], targets: Sequence[float]) -> Measure | None:
    """Explained variance: 1 minus the squared error relative to that of the mean target; at least -1."""
    mean = sum(targets) / len(targets)
    spread = sum((target - mean) ** 2 for target in targets)
    if not spread or not math.isfinite(spread):
        return None
    error = sum(min((p - t) ** 2, 1e300) if math.isfinite(p) else math.inf for p, t in zip(predictions, targets, strict=True))
    value = max(1 - error / spread, _LEAST)
    return Measure("explained variance", value, _CHANCE / math.sqrt(len(targets)), len(targets))
