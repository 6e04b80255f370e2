"""Isolation: each deployed operator run on the reference's own values, so that earlier differences do not hide its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from dllint.bisection.bench import Bench
from dllint.bisection.steps import POSTPROCESS, PREPROCESS, Step

#: Relative difference below which an operator is innocent without asking the metric.
INNOCENT: Final = 1e-5
ORIGIN: Final = "isolated"


def isolated(bench: Bench, nodes: Sequence[str], positions: np.ndarray) -> Mapping[str, np.ndarray]:
    """The candidate's values of nodes, each computed from the reference's values of its nearest aligned ancestors.

    Inputs are what the reference is fed with. Raises :class:`TypeError` if the candidate cannot run in parts.
    """
    back = {node: bench.ancestors(node) for node in nodes}
    clean = bench.clean(sorted({name for names in back.values() for name in names}, key=bench.graph.position), positions)
    return {node: bench.segment({name: clean[name] for name in names}, [node], positions)[node] for node, names in back.items()}


def differing(bench: Bench, steps: Iterable[Step], positions: np.ndarray) -> list[Step]:
    """The steps whose operator, alone, does not reproduce the reference's value on these samples."""
    inside = [step for step in steps if step.name not in (PREPROCESS, POSTPROCESS)]
    nodes = [node for step in inside for node in step.nodes]
    clean, own = bench.clean(nodes, positions), isolated(bench, nodes, positions)
    return [step for step in inside if any(relative(own[node], clean[node]) > INNOCENT for node in step.nodes)]


def relative(values: np.ndarray, expected: np.ndarray) -> float:
    """The norm of the difference over the norm of what is expected; infinite if something is not finite where it should be."""
    if not np.array_equal(np.isfinite(values), np.isfinite(expected)):
        return float("inf")
    finite = np.isfinite(expected)
    first, second = values[finite].astype(np.float64), expected[finite].astype(np.float64)
    size = float(np.linalg.norm(second))
    return float(np.linalg.norm(first - second)) / (size or 1.0)
