"""Operators that an exporter or a person has put behind a value: they belong to the operator that makes it.

A value that is cast to half precision and back, or rounded to integers and read back, is the reference's value at the *end* of
that row. Paired with its beginning, what the row does would be charged to the operators that take it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from dllint.bisection.alignment.kinds import family
from dllint.bisection.alignment.sides import Sides
from dllint.bisection.protocols import Aligned, Observable

#: Operators that keep every number, but for rounding, or give it another place.
_KEEPING: Final = frozenset({"cast", "quantizelinear", "dequantizelinear", "identity"})
_MOVING: Final = frozenset({"transpose", "reshape"})
#: With a constant, or alone: what they do to a value is done to each number by itself.
_ELEMENTWISE: Final = frozenset({"mul", "div", "add", "sub", "clip", "neg", "min", "max"})


def with_chains(sides: Sides, pairs: Sequence[Aligned], outputs: Iterable[str]) -> list[Aligned]:
    """The pairs, each with the last value of the row behind it; what the user gave stays as it is."""
    rows = dict(_rows(sides, pairs, frozenset(outputs)))
    if not rows:
        return list(pairs)
    nodes = [pair.node for pair in pairs if pair.node in rows]
    ours, theirs = sides.ours(nodes), sides.theirs(sorted({name for row in rows.values() for name in row}))
    return [_moved(pair, rows.get(pair.node, []), ours, theirs) for pair in pairs]


def _moved(pair: Aligned, row: Sequence[str], ours: Mapping[str, np.ndarray], theirs: Mapping[str, np.ndarray]) -> Aligned:
    """With the last value of the row that could stand for the node."""
    fits = [name for name in row if theirs[name].shape == ours[pair.node].shape and theirs[name].dtype.kind == "f"]
    return replace(pair, value=fits[-1]) if fits else pair


def _rows(sides: Sides, pairs: Sequence[Aligned], outputs: frozenset[str]) -> Iterator[tuple[str, list[str]]]:
    takers: dict[str, list[Observable]] = defaultdict(list)
    for observable in sides.observables:
        for name in dict.fromkeys(observable.inputs):
            takers[name].append(observable)
    written = any(observable.node for observable in sides.observables)
    taken = frozenset(pair.value for pair in pairs)
    for pair in pairs:
        if pair.why == "given":
            continue
        kinds = _added(sides, pair.node, written)
        row = list(_behind(sides, pair.value, takers, taken | outputs, kinds))
        if row:
            yield pair.node, row


def _behind(
    sides: Sides, value: str, takers: Mapping[str, Sequence[Observable]], own: frozenset[str], kinds: frozenset[str]
) -> Iterator[str]:
    """The values behind one that nothing but the next takes, as long as the operators have no counterpart of their own."""
    while len(following := takers.get(value, ())) == 1:
        after = following[0]
        partner = after.name in own or after.name in sides.graph or after.node in sides.graph
        if partner or len(after.inputs) != 1 or family(after.kind) not in kinds:
            return
        value = after.name
        yield value


def _added(sides: Sides, node: str, written: bool) -> frozenset[str]:
    """Kinds of operators that are none of the reference's where they stand behind a node and have no counterpart."""
    behind = {sides.kind(name) for name in sides.graph.consumers[node]}
    moving = frozenset() if behind & _MOVING else _MOVING
    # An exporter that names its operators has not made one without a name.
    return _KEEPING | moving | (_ELEMENTWISE - behind if written else frozenset())
