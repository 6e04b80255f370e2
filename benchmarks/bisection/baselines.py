"""What people do without all this: look for the largest, or the first, difference between tensors; or bisect a prefix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dllint.bisection.bench import Bench
from dllint.bisection.steps import Profile, Step
from dllint.bisection.trials import DEPLOYED, NOTHING, Trials

#: The tolerance of the search for the first difference.
TOLERANCE = 1e-3


def differences(bench: Bench, steps: Sequence[Step], positions: np.ndarray) -> list[float]:
    """The relative difference of each step's value; NaN where one is not finite, as plain comparisons have it."""
    nodes = [node for step in steps for node in step.nodes]
    clean, own = bench.clean(nodes, positions), bench.observed(DEPLOYED, nodes, positions)
    return [max(_plain(own[node], clean[node]) for node in step.nodes) for step in steps]


def largest(found: Sequence[float], steps: Sequence[Step]) -> str | None:
    """The step with the largest difference."""
    comparable = [(value, step.name) for value, step in zip(found, steps, strict=True) if value > 0]
    return max(comparable)[1] if comparable else None


def first(found: Sequence[float], steps: Sequence[Step]) -> str | None:
    """The first step whose difference exceeds the tolerance."""
    return next((step.name for value, step in zip(found, steps, strict=True) if value > TOLERANCE), None)


def prefix(trials: Trials, profile: Profile, tolerance: float) -> tuple[str | None, int]:
    """Bisection for the first cut at which the metric has fallen by more than a tolerance; and its evaluations."""
    clean, count = _score(trials, profile, 0), 2
    left, right = 0, len(profile.steps)
    if clean - _score(trials, profile, right) <= tolerance:
        return None, count
    while right - left > 1:
        cut, count = (left + right) // 2, count + 1
        left, right = (left, cut) if clean - _score(trials, profile, cut) > tolerance else (cut, right)
    return profile.steps[right - 1].name, count


def linear(trials: Trials, profile: Profile, tolerance: float) -> tuple[list[str], int]:
    """Every cut; the steps at which the metric falls by more than a tolerance."""
    scores = [_score(trials, profile, cut) for cut in range(len(profile.steps) + 1)]
    falls = [
        step.name for step, before, after in zip(profile.steps, scores, scores[1:], strict=False) if before - after > tolerance
    ]
    return falls, len(scores)


def _score(trials: Trials, profile: Profile, cut: int) -> float:
    return trials.outcome(profile.at(cut) if cut else NOTHING).value


def _plain(own: np.ndarray, clean: np.ndarray) -> float:
    with np.errstate(all="ignore"):
        return float(np.linalg.norm(own.astype(np.float64) - clean) / (np.linalg.norm(clean.astype(np.float64)) or 1.0))
