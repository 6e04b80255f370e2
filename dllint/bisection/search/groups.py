"""Group testing where every operator differs a little: groups of operators deployed in turn, half of them at a time.

The rows of a Hadamard matrix say which groups are deployed in each run, so that each group is deployed in half of the runs, and
with every other group in half of these. Effects are taken to add up; each is measured by all runs at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from dllint.bisection.bench import Bench
from dllint.bisection.protocols import Arrays
from dllint.bisection.result import Share
from dllint.bisection.statistics.paired import paired_contrast
from dllint.bisection.steps import POSTPROCESS, PREPROCESS, Step, middle
from dllint.bisection.trials import Part, Put, Trials

#: Sylvester's matrix of order 8: eight runs for seven groups.
_SIGNS: Final = np.array([[1 - 2 * (bin(i & j).count("1") % 2) for j in range(8)] for i in range(8)])
_GROUPS: Final = 7


def grouped(steps: Sequence[Step], number: int = _GROUPS) -> list[list[Step]]:
    """Rows of steps, cut between modules where that is near the middle of the longest row."""
    rows = [[step for step in steps if step.name not in (PREPROCESS, POSTPROCESS)]]
    while len(rows) < number and (longest := max(range(len(rows)), key=lambda i: len(rows[i]))) is not None:
        row = rows[longest]
        if len(row) < 2:
            break
        cut = middle(row, 0, len(row))
        rows[longest : longest + 1] = [row[:cut], row[cut:]]
    return rows


class Mixed:
    """The model in which some groups are the candidate's and the others the reference's, each on what the ones before give."""

    def __init__(self, bench: Bench, groups: Sequence[Sequence[Step]], deployed: Sequence[bool]) -> None:
        self._bench, self._groups, self._deployed = bench, groups, deployed

    def __call__(self, nodes: Sequence[str], positions: np.ndarray) -> Mapping[str, np.ndarray]:
        """The values of some nodes."""
        values: dict[str, np.ndarray] = {}
        for group, own in zip(self._groups, self._deployed, strict=True):
            inside = [node for step in group for node in step.nodes]
            values |= self._continued(values, inside, own, positions)
        return {node: values[node] for node in nodes}

    def _continued(self, values: Arrays, nodes: list[str], own: bool, positions: np.ndarray) -> Arrays:
        if own:
            return self._bench.segment(values, nodes, positions)
        return self._bench.reference.run(self._bench.samples.reference_inputs(positions), values, nodes)


def shares(bench: Bench, trials: Trials, steps: Sequence[Step], drop: float, level: float) -> list[Share]:
    """Metric drop per group, largest first; empty for metrics that are no mean over samples."""
    groups = grouped(steps)
    runs = []
    for i, row in enumerate(_SIGNS):
        origin = f"mixed:{i}"
        bench.add(origin, Mixed(bench, groups, [sign < 0 for sign in row[1 : len(groups) + 1]]))
        outcome = trials.outcome(frozenset(Put(node, origin) for node in bench.graph.outputs), Part.ALL)
        if outcome.contributions is None:
            return []
        runs.append(outcome.contributions)
    found = []
    for number, group in enumerate(groups, start=1):
        # Deployed minus not deployed: a sign of -1 stands for deployed.
        effect = -(_SIGNS[:, number] @ np.stack(runs)) * 2 / len(_SIGNS)
        contrast = paired_contrast(np.zeros_like(effect), effect, level)
        found.append(Share(tuple(group), contrast, contrast.difference / drop if drop else 0.0))
    return sorted(found, key=lambda share: share.contrast.difference)
