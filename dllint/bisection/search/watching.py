"""Honesty about observation: what the candidate does unwatched and twice, and which of its values are first to differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from dllint.bisection.bench import Bench
from dllint.bisection.protocols import HasUntapped
from dllint.bisection.search.isolation import INNOCENT, relative
from dllint.bisection.steps import POSTPROCESS, PREPROCESS, Step
from dllint.bisection.trials import DEPLOYED, Injection, Put

UNTAPPED: Final = "untapped"
WATCHED: Final = "watched"
#: Samples that are looked at before the metric is asked.
_LOOKED_AT: Final = 64
#: A relative difference that libraries may make by summing in another order.
_ROUNDING: Final = 1e-4


@dataclass(frozen=True)
class Look:
    """What some samples show; ``unwatched_differs`` and ``random`` ask the metric for more."""

    unwatched_differs: bool
    random: bool
    #: The first step with values that are not finite where the reference's are.
    not_finite: Step | None
    #: Steps whose values differ though all that they are made from agree.
    differing: Sequence[Step]


class Watcher:
    """Adds to the bench what is seen of the outputs: unwatched, and with every aligned value watched."""

    def __init__(self, bench: Bench, steps: Sequence[Step], samples: int) -> None:
        self._bench = bench
        self._steps = [step for step in steps if step.name not in (PREPROCESS, POSTPROCESS)]
        self._few = np.arange(min(_LOOKED_AT, samples))
        bench.add(WATCHED, self._watched)
        if isinstance(bench.candidate, HasUntapped):
            bench.add(UNTAPPED, self._untapped)

    def outputs(self, origin: str) -> Injection:
        """The candidate's outputs by one observation."""
        return frozenset(Put(node, origin) for node in self._bench.graph.outputs)

    def look(self) -> Look:
        """Run a few samples through both sides, and through the candidate again."""
        nodes = [node for step in self._steps for node in step.nodes]
        own = self._bench.observed(DEPLOYED, nodes, self._few)
        clean = self._bench.clean(nodes, self._few)
        outputs = self._bench.graph.outputs
        again = self._seen(outputs, self._few)
        plain = self._untapped(outputs, self._few) if isinstance(self._bench.candidate, HasUntapped) else again
        random = any(_unlike(self._seen(outputs, self._few)[node], again[node], INNOCENT) for node in outputs)
        unlike = any(_unlike(plain[node], own.get(node, again[node]), _ROUNDING) for node in outputs)
        return Look(unlike and not random, random, self._not_finite(own, clean), self._differing(own, clean))

    def _not_finite(self, own: Mapping[str, np.ndarray], clean: Mapping[str, np.ndarray]) -> Step | None:
        found = (s for s in self._steps for n in s.nodes if not np.isfinite(own[n]).all() and np.isfinite(clean[n]).all())
        return next(found, None)

    def _differing(self, own: Mapping[str, np.ndarray], clean: Mapping[str, np.ndarray]) -> list[Step]:
        far = {node for node in own if _unlike(own[node], clean[node], INNOCENT)}
        return [s for s in self._steps for n in s.nodes if n in far and far.isdisjoint(self._bench.ancestors(n))]

    def _untapped(self, nodes: Sequence[str], positions: np.ndarray) -> Mapping[str, np.ndarray]:
        candidate = self._bench.candidate
        assert isinstance(candidate, HasUntapped), "only such candidates are asked"
        found = candidate.untapped(self._bench.samples.candidate_inputs(positions))
        return {node: found[self._bench.named(node)] for node in nodes}

    def _watched(self, nodes: Sequence[str], positions: np.ndarray) -> Mapping[str, np.ndarray]:
        """All aligned values at once."""
        inside = [node for step in self._steps for node in step.nodes]
        return self._seen(list(dict.fromkeys([*nodes, *inside])), positions)

    def _seen(self, nodes: Sequence[str], positions: np.ndarray) -> Mapping[str, np.ndarray]:
        """Not by way of the bench, which remembers what it has seen."""
        wanted = [self._bench.named(node) for node in nodes]
        found = self._bench.candidate.run(self._bench.samples.candidate_inputs(positions), wanted)
        return {node: found[name] for node, name in zip(nodes, wanted, strict=True)}


def _unlike(values: np.ndarray, expected: np.ndarray, tolerance: float) -> bool:
    return relative(values, expected) > tolerance
