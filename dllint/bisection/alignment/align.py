"""The alignment of two graphs: each kind of evidence proposes pairs for what is still without, and arrays decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from dllint.bisection.alignment.correlation import by_correlation
from dllint.bisection.alignment.names import by_exported_name, by_module, by_name, by_rounded_name
from dllint.bisection.alignment.sides import Evidence, Sides
from dllint.bisection.alignment.structure import by_structure
from dllint.bisection.alignment.weights import by_weights
from dllint.bisection.protocols import Aligned

#: What exporters have written, in the order of its weight.
WRITTEN: Final[Mapping[str, Evidence]] = {
    "name": by_name,
    "exported name": by_exported_name,
    "name before rounding": by_rounded_name,
}
#: Evidence from numbers and graphs where names give little.
OBSERVED: Final[Mapping[str, Evidence]] = {
    "weights": by_weights,
    "values": by_correlation,
    "place": by_structure,
    "module": by_module,
}
#: With so large a share of either side aligned by what an exporter wrote, the rest is left to the reference.
_ENOUGH: Final = 0.5


def align(sides: Sides, given: Mapping[str, str | None]) -> list[Aligned]:
    """Pairs in the graph's order. ``given`` is the user's mapping from nodes to values, ``None`` for *leave it alone*."""
    found = {node: Aligned(node, value, "given") for node, value in given.items() if value is not None}
    left = set(given) - set(found)
    _extend(found, left, sides, WRITTEN)
    exported = any(observable.node for observable in sides.observables)
    share = len(found) / max(1, min(len(sides.nodes), len(sides.watched)))
    if share < (_ENOUGH if exported else 1.0):
        _extend(found, left, sides, OBSERVED)
    return sorted(found.values(), key=lambda pair: sides.graph.position(pair.node))


def _extend(found: dict[str, Aligned], left: set[str], sides: Sides, kinds: Mapping[str, Evidence]) -> None:
    free = set(sides.nodes) - left
    taken = {pair.value for pair in found.values()}
    for why, evidence in kinds.items():
        for node, value in evidence(sides, {pair.node: pair.value for pair in found.values()}):
            if node in free and node not in found and value not in taken:
                found[node] = Aligned(node, value, why)
                taken.add(value)


def fitting(
    pairs: Sequence[Aligned], reference: Mapping[str, np.ndarray], candidate: Mapping[str, np.ndarray]
) -> tuple[list[Aligned], list[Aligned]]:
    """The pairs whose arrays have one shape and hold floating-point numbers, and those that do not fit."""
    fits = [pair for pair in pairs if _fit(reference[pair.node], candidate[pair.value])]
    return fits, [pair for pair in pairs if pair not in fits]


def _fit(first: np.ndarray, second: np.ndarray) -> bool:
    return first.shape == second.shape and _floating((first, second))


def _floating(arrays: Iterable[np.ndarray]) -> bool:
    return all(np.issubdtype(array.dtype, np.floating) for array in arrays)
