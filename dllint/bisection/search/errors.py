"""How much each deployed operator is wrong by itself: run on the reference's values, compared with the reference's result.

No metric is asked, so this is cheap; it says where to cut first, which operators only round as all of them do, and which
pairs of values do not belong together. What an operator costs is for the metric alone to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from dllint.bisection.bench import Bench
from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import RunsSegments
from dllint.bisection.search.isolation import isolated, relative
from dllint.bisection.steps import POSTPROCESS, PREPROCESS, Step

#: Samples that are run.
_SAMPLES: Final = 32
#: With more operators they are not run one by one.
_MOST: Final = 1000
#: An error this many times as large as the usual one stands out; one below :data:`_FINE` never does.
_TIMES: Final = 4.0
_FINE: Final = 1e-4
#: At least so many, and this part of all, have to differ for that to be usual.
_FEW: Final = 6
_PART: Final = 0.2
#: So many of those that stand out, the largest errors first, guide a search.
_GUIDES: Final = 6
#: A pair is wrong if without it the operators behind come out right: their error falls below this share.
_MENDED: Final = 0.2


@dataclass(frozen=True)
class Errors:
    """Relative errors by the names of steps; empty where operators cannot be run alone."""

    by_step: Mapping[str, float] = field(default_factory=dict)

    @property
    def usual(self) -> float:
        """The median error of the operators that differ, if they are many; else 0: then a few are wrong."""
        differing = [error for error in self.by_step.values() if error > _FINE]
        many = len(differing) >= max(_FEW, _PART * len(self.by_step))
        return float(np.median(differing)) if many else 0.0

    @property
    def rounded(self) -> bool:
        """Whether operators differ everywhere by more than another order of sums explains."""
        return self.usual > 0

    def stands_out(self, step: Step) -> bool:
        """Whether an operator is wrong by more than the others are."""
        return self.by_step.get(step.name, 0.0) > max(_FINE, _TIMES * self.usual)

    def differs(self, step: Step) -> bool:
        """Whether an operator is off by more than another order of sums explains."""
        return self.by_step.get(step.name, 0.0) > _FINE

    def guides(self, steps: Sequence[Step]) -> list[Step]:
        """The steps that stand out most."""
        found = [step for step in steps if self.stands_out(step)]
        return sorted(found, key=lambda step: -self.by_step[step.name])[:_GUIDES]


def errors_of(bench: Bench, steps: Sequence[Step], samples: int) -> Errors:
    """The errors of the operators of a candidate that can run in parts."""
    inside = [step for step in steps if step.name not in (PREPROCESS, POSTPROCESS)]
    if not isinstance(bench.candidate, RunsSegments) or len(inside) > _MOST:
        return Errors()
    positions = np.arange(min(_SAMPLES, samples))
    clean = bench.clean([node for step in inside for node in step.nodes], positions)
    found = {}
    for step in inside:
        try:
            own = isolated(bench, step.nodes, positions)
        except BisectionError:  # it cannot be fed with what the reference has there
            continue
        found[step.name] = max(relative(own[node], clean[node]) for node in step.nodes)
    return Errors(found)


def wrong_pairs(bench: Bench, steps: Sequence[Step], errors: Errors, samples: int) -> list[Step]:
    """The steps whose two values do not belong together.

    The candidate's operator fails on the reference's values, and so do all that take its result when they get the reference's
    value in its place, while these come out right if they are run from further in front. An operator that is wrong itself
    leaves those behind it right.
    """
    positions = np.arange(min(_SAMPLES, samples))
    suspects = [step for step in steps if errors.stands_out(step)]
    return [step for step in suspects if _wrong(bench, step, steps, errors, positions)]


def _wrong(bench: Bench, step: Step, steps: Sequence[Step], errors: Errors, positions: np.ndarray) -> bool:
    behind = [other for other in steps if other is not step and _takes(bench, other, step)]
    if not behind or not all(errors.stands_out(other) for other in behind):
        return False
    try:
        return all(_mended(bench, other, step, errors, positions) for other in behind)
    except BisectionError:
        return False


def _takes(bench: Bench, other: Step, step: Step) -> bool:
    inside = [node for node in other.nodes if node in bench.graph]
    return any(not set(step.nodes).isdisjoint(bench.ancestors(node)) for node in inside)


def _mended(bench: Bench, other: Step, step: Step, errors: Errors, positions: np.ndarray) -> bool:
    """Whether an operator comes out right if the value in question is computed by the candidate."""
    node = other.nodes[0]
    back = set(bench.ancestors(node)) - set(step.nodes)
    back |= {name for own in step.nodes for name in bench.ancestors(own)}
    clean = bench.clean(sorted({*back, node}, key=bench.graph.position), positions)
    found = bench.segment({name: clean[name] for name in back}, [node], positions)[node]
    error = relative(found, clean[node])
    return bool(np.isfinite(error)) and error < _MENDED * errors.by_step[other.name]
