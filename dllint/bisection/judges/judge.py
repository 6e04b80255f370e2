"""What judges a run of the model: outputs of many samples go in, an outcome comes out that can be contrasted with others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from dllint.bisection.statistics.contrast import Contrast

#: The model's outputs, each with the samples along the first axis.
Outputs: TypeAlias = tuple[np.ndarray, ...]
#: One target per sample: an array, or any sequence that can be indexed by position.
Targets: TypeAlias = Sequence[Any] | np.ndarray


@dataclass(frozen=True, slots=True)
class Outcome:
    """How good one run is. ``value`` is in the user's own units and direction."""

    value: float
    #: Per sample, turned so that more is better; only if the metric is their mean.
    contributions: np.ndarray | None = None
    #: What a judge without contributions keeps to draw samples from.
    outputs: Outputs | None = None
    targets: Targets | None = None


class Judge(Protocol):
    """Turns outputs into outcomes, and two outcomes over the same samples into a contrast."""

    #: No contribution of one sample exceeds it in size; None if unknown: then all samples are run before anything is said.
    bound: float | None
    #: Whether more of :attr:`Outcome.value` is better.
    higher_is_better: bool

    def measure(self, outputs: Outputs, targets: Targets) -> Outcome:
        """Judge the outputs of some samples."""
        ...

    def join(self, outcomes: Sequence[Outcome]) -> Outcome:
        """The outcome over the samples of all of them, in their order."""
        ...

    def contrast(self, before: Outcome, after: Outcome, level: float) -> Contrast:
        """The difference between the second outcome and the first."""
        ...


def averaged(outcomes: Sequence[Outcome]) -> Outcome:
    """The mean of several runs of the same samples; the first one of a judge without contributions."""
    rows = [outcome.contributions for outcome in outcomes if outcome.contributions is not None]
    if len(outcomes) == 1 or len(rows) < len(outcomes):
        return outcomes[0]
    return Outcome(float(np.mean([outcome.value for outcome in outcomes])), np.mean(rows, axis=0))


def chosen(targets: Targets, positions: np.ndarray) -> Targets:
    """The targets at these positions."""
    return targets[positions] if isinstance(targets, np.ndarray) else [targets[int(i)] for i in positions]


def laid_end_to_end(parts: Sequence[Targets]) -> Targets:
    """The targets of several chunks as those of one."""
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate([np.asarray(part) for part in parts])
    return [target for part in parts for target in part]


def joined_outputs(parts: Sequence[Outputs]) -> Outputs:
    """The outputs of several chunks as those of one."""
    return tuple(np.concatenate(pieces) for pieces in zip(*parts, strict=True))
