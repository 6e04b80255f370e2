"""The alignment of two graphs: each kind of evidence proposes pairs for what is still without, and arrays decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from dllint.bisection.alignment.names import by_exported_name, by_module, by_name
from dllint.bisection.graph import Graph
from dllint.bisection.protocols import Aligned, Observable

#: Proposes pairs of a reference's node and a candidate's value.
Evidence: TypeAlias = Callable[[Graph, Sequence[Observable]], Iterable[tuple[str, str]]]

#: In the order of their weight.
EVIDENCE: Final[Mapping[str, Evidence]] = {"name": by_name, "exported name": by_exported_name, "module": by_module}


def align(graph: Graph, observables: Sequence[Observable], given: Mapping[str, str | None]) -> list[Aligned]:
    """Pairs in the graph's order. ``given`` is the user's mapping from nodes to values, ``None`` for *leave it alone*."""
    found = {node: Aligned(node, value, "given") for node, value in given.items() if value is not None}
    taken = {pair.value for pair in found.values()}
    candidates = {node.name for node in graph.nodes if node.shape is not None and node.name not in graph.inputs}
    for why, evidence in EVIDENCE.items():
        for node, value in evidence(graph, observables):
            if node in candidates and node not in found and node not in given and value not in taken:
                found[node] = Aligned(node, value, why)
                taken.add(value)
    return sorted(found.values(), key=lambda pair: graph.position(pair.node))


def fitting(
    pairs: Sequence[Aligned], reference: Mapping[str, np.ndarray], candidate: Mapping[str, np.ndarray]
) -> tuple[list[Aligned], list[Aligned]]:
    """The pairs whose arrays have one shape and hold floating-point numbers, and those that do not fit."""
    fits = [pair for pair in pairs if _fit(reference[pair.node], candidate[pair.value])]
    return fits, [pair for pair in pairs if pair not in fits]


def _fit(first: np.ndarray, second: np.ndarray) -> bool:
    return first.shape == second.shape and all(np.issubdtype(array.dtype, np.floating) for array in (first, second))
