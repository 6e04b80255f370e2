"""Whether pairs respect the order of both graphs: what comes before on one side must not come after on the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dllint.bisection.alignment.sides import Sides


class Order:
    """Ancestors of every value on both sides, as sets of bits."""

    def __init__(self, sides: Sides) -> None:
        self._ours = _ancestors((node.name, node.inputs) for node in sides.graph.nodes)
        self._theirs = _ancestors((observable.name, observable.inputs) for observable in sides.observables)

    def allows(self, node: str, value: str, known: Mapping[str, str]) -> bool:
        """Whether a pair crosses none of those that are known."""
        return not any(
            (self._ours.before(other, node) and self._theirs.before(value, taken))
            or (self._ours.before(node, other) and self._theirs.before(taken, value))
            for other, taken in known.items()
        )


class _Ancestors:
    def __init__(self, positions: Mapping[str, int], bits: Mapping[str, int]) -> None:
        self._positions, self._bits = positions, bits

    def before(self, first: str, second: str) -> bool:
        return first in self._positions and bool(self._bits.get(second, 0) >> self._positions[first] & 1)


def _ancestors(entries: Iterable[tuple[str, Sequence[str]]]) -> _Ancestors:
    positions: dict[str, int] = {}
    bits: dict[str, int] = {}
    for name, inputs in entries:
        positions[name] = len(positions)
        own = 0
        for other in inputs:
            if other in positions:
                own |= bits[other] | 1 << positions[other]
        bits[name] = own
    return _Ancestors(positions, bits)
