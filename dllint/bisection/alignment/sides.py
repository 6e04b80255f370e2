"""What evidence is drawn from: both graphs, their weights, and their values on a few samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from dllint.bisection.alignment.kinds import family
from dllint.bisection.graph import Graph
from dllint.bisection.protocols import Observable

Values: TypeAlias = Callable[[Sequence[str]], Mapping[str, np.ndarray]]
Weight: TypeAlias = Callable[[str], np.ndarray | None]


def _no_weight(name: str) -> np.ndarray | None:
    return None


@dataclass(frozen=True)
class Sides:
    """``ours`` and ``theirs`` give values of some samples, the same on both sides; weights are by the names of each side."""

    graph: Graph
    observables: Sequence[Observable]
    ours: Values
    theirs: Values
    our_weight: Weight = _no_weight
    their_weight: Weight = _no_weight
    #: The reference's name of each input of the candidate.
    inputs: Mapping[str, str] | None = None

    @property
    def nodes(self) -> list[str]:
        """The reference's nodes that a value can stand for."""
        return [node.name for node in self.graph.nodes if node.shape is not None and node.name not in self.graph.inputs]

    @cached_property
    def watched(self) -> Mapping[str, Observable]:
        """The candidate's values by name, in its order."""
        return {observable.name: observable for observable in self.observables}

    @cached_property
    def our_values(self) -> Mapping[str, np.ndarray]:
        """Every value of the reference that one can stand for."""
        return _floating(self.ours(self.nodes))

    @cached_property
    def their_values(self) -> Mapping[str, np.ndarray]:
        """Every value of the candidate."""
        return _floating(self.theirs(list(self.watched)))

    def kind(self, node: str) -> str:
        """The kind of the operator behind a node."""
        return family(self.graph.maker(node).kind)

    def lacks_bias(self, node: str, value: str) -> bool:
        """Whether the value is one to which the bias is added by an operator further on."""
        return len(self.graph[node].weights) > len(self.watched[value].weights) == 1

    def nearest(self, name: str, known: Mapping[str, str]) -> frozenset[str]:
        """The nearest values that are aligned (by the reference's names), or inputs, that a candidate's value is made from."""
        fed = self.inputs or {}
        found, seen, waiting = set(), {name}, list(self.watched[name].inputs)
        while waiting:
            other = waiting.pop()
            if other in seen:
                continue
            seen.add(other)
            if other in known or other in fed:
                found.add(known.get(other) or fed[other])
            elif other in self.watched:
                waiting.extend(self.watched[other].inputs)
        return frozenset(found)


#: Proposes pairs of a reference's node and a candidate's value, given those that are known (node → value).
Evidence: TypeAlias = Callable[[Sides, Mapping[str, str]], Iterable[tuple[str, str]]]


def _floating(values: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: array for name, array in values.items() if np.issubdtype(array.dtype, np.floating) and array.ndim}
