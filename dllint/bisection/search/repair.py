"""Repair: the candidate with the reference's operator in place of each culprit, run on from there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from dllint.bisection.bench import Bench
from dllint.bisection.steps import POSTPROCESS, PREPROCESS, Profile, Step
from dllint.bisection.trials import DEPLOYED


def origin_of(culprits: Iterable[Step]) -> str:
    """The name of the observation in which these are repaired."""
    return "repaired:" + ",".join(step.name for step in culprits)


class Repaired:
    """The observation of a candidate in which some steps are the reference's."""

    def __init__(self, bench: Bench, culprits: Sequence[Step]) -> None:
        self._bench = bench
        self._inputs = any(step.name == PREPROCESS for step in culprits)
        inside = {node for step in culprits for node in step.nodes if node in bench.graph and node not in bench.graph.inputs}
        self._nodes = sorted(inside, key=bench.graph.position)

    def __call__(self, nodes: Sequence[str], positions: np.ndarray) -> Mapping[str, np.ndarray]:
        """Their values: the reference's operators are computed on the candidate's values in front of them."""
        fed = dict(self._start(positions))
        for node in self._nodes:
            back = [name for name in self._bench.ancestors(node) if name not in fed]
            values = fed | self._continued(fed, back, positions)
            fed |= self._bench.reference.run(self._bench.samples.reference_inputs(positions), values, [node])
        return self._continued(fed, nodes, positions)

    def _start(self, positions: np.ndarray) -> Mapping[str, np.ndarray]:
        return self._bench.samples.reference_inputs(positions) if self._inputs else {}

    def _continued(self, fed: Mapping[str, np.ndarray], nodes: Sequence[str], positions: np.ndarray) -> dict[str, np.ndarray]:
        known = {node: fed[node] for node in nodes if node in fed}
        rest = [node for node in nodes if node not in fed]
        if not fed:
            return known | dict(self._bench.observed(DEPLOYED, rest, positions))
        inputs = [node for node in rest if node in self._bench.graph.inputs]
        given = self._bench.observed(DEPLOYED, inputs, positions)
        inside = [node for node in rest if node not in inputs]
        return known | dict(given) | (self._bench.segment(fed, inside, positions) if inside else {})


def repaired(bench: Bench, steps: Sequence[Step], culprits: Sequence[Step]) -> Profile:
    """The cuts of the candidate with these steps repaired; values in front of them are the deployed ones."""
    origin = origin_of(culprits)
    bench.add(origin, Repaired(bench, culprits))
    guilty = {step.name for step in culprits}
    changed = bench.graph.descendants({node for step in culprits for node in step.nodes if node in bench.graph})
    kept = [step for step in steps if step.name != POSTPROCESS or POSTPROCESS not in guilty]
    return Profile(kept, dict.fromkeys(changed, origin))
