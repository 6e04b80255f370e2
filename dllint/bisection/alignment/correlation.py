"""Alignment by values: the same shape and nearly the same numbers, up to scale and offset, in the order of both graphs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from dllint.bisection.alignment.kinds import family
from dllint.bisection.alignment.order import Order
from dllint.bisection.alignment.sides import Sides

#: 1 - r, below which two values are the same whatever the operators are called; above it their kinds must agree.
_SAME: Final = 1e-6
#: 1 - r, above which values say nothing.
_FAR: Final = 0.3
#: What 1 - r of the second best has to be in terms of the best, unless they are the same.
_MARGIN: Final = 2.0
#: Numbers of a value that are looked at.
_LOOKED_AT: Final = 20_000


def by_correlation(sides: Sides, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The closest pairs first; a pair that crosses another, or has a rival of its kind, is left out."""
    order, found = Order(sides), dict(known)
    taken = set(found.values())
    for node, value in _closest(sides, known):
        if node not in found and value not in taken and order.allows(node, value, found):
            found[node] = value
            taken.add(value)
            yield node, value


def correlations(ours: Mapping[str, np.ndarray], theirs: Mapping[str, np.ndarray]) -> dict[tuple[str, str], float]:
    """1 - r of every pair of one shape; a value that is constant or not finite has none."""
    found: dict[tuple[str, str], float] = {}
    for shape in {array.shape for array in ours.values()}:
        rows = {name: row for name, array in ours.items() if array.shape == shape and (row := _standard(array)) is not None}
        columns = {
            name: row for name, array in theirs.items() if array.shape == shape and (row := _standard(array)) is not None
        }
        if rows and columns:
            far = 1 - np.stack(list(rows.values())) @ np.stack(list(columns.values())).T
            found |= {(a, b): max(0.0, float(far[i, j])) for i, a in enumerate(rows) for j, b in enumerate(columns)}
    return found


def _closest(sides: Sides, known: Mapping[str, str]) -> list[tuple[str, str]]:
    free = {name: array for name, array in sides.our_values.items() if name not in known}
    taken = set(known.values())
    others = {name: array for name, array in sides.their_values.items() if name not in taken}
    distances = {pair: far for pair, far in correlations(free, others).items() if far < _FAR}
    places = {name: i / len(sides.watched) for i, name in enumerate(sides.watched)}
    ranked = []
    for (node, value), far in distances.items():
        alike = sides.kind(node) == family(sides.watched[value].kind)
        likely = alike and not sides.lacks_bias(node, value)
        if far < _SAME or (likely and _unrivalled(sides, distances, node, value)):
            away = abs(sides.graph.position(node) / len(sides.graph.nodes) - places[value])
            # Noise of 32-bit numbers makes no difference between pairs.
            ranked.append((math.floor(math.log10(max(far, 1e-11))), not alike, away, node, value))
    return [(node, value) for *_, node, value in sorted(ranked)]


def _unrivalled(sides: Sides, distances: Mapping[tuple[str, str], float], node: str, value: str) -> bool:
    kind, best = sides.kind(node), distances[node, value] * _MARGIN
    for (ours, theirs), far in distances.items():
        rival = (ours == node) != (theirs == value)
        if rival and far < best and sides.kind(ours) == family(sides.watched[theirs].kind) == kind:
            return False
    return True


def _standard(array: np.ndarray) -> np.ndarray | None:
    """The numbers with mean 0 and norm 1."""
    flat = array.reshape(-1)[:_LOOKED_AT].astype(np.float64)
    if not np.isfinite(flat).all():
        return None
    centred = flat - flat.mean()
    norm = float(np.linalg.norm(centred))
    return centred / norm if norm > 1e-12 * math.sqrt(flat.size) else None
