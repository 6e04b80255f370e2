"""The reference as a graph: nodes in topological order, and which of them a cut still needs.

A cut is a set of values that are injected. Walking backward from the outputs and stopping at injected values gives what
is still to be computed; so it works on any directed acyclic graph, with values that nothing is aligned with in between.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """Where the source of a node stands; line and column are 1-based."""

    path: Path
    line: int
    column: int = 1
    text: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """One operator of the reference; ``module`` is the path of the module that performs it (``blocks.0.norm``)."""

    name: str
    kind: str
    inputs: tuple[str, ...] = ()
    module: str = ""
    place: Place | None = None
    #: Without the batch axis; ``None`` if the value is no array of floating-point numbers of one shape.
    shape: tuple[int, ...] | None = None
    #: Names of the parameters that it takes.
    weights: tuple[str, ...] = ()


@dataclass(frozen=True)
class Graph:
    """Nodes in an order in which each comes after its inputs; placeholders are nodes without inputs."""

    nodes: tuple[Node, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    _positions: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_positions", {node.name: i for i, node in enumerate(self.nodes)})

    def __getitem__(self, name: str) -> Node:
        return self.nodes[self._positions[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._positions

    def position(self, name: str) -> int:
        """The node's place in the order."""
        return self._positions[name]

    def maker(self, name: str) -> Node:
        """The operator behind a value: one of several results is taken out of it by a ``getitem``."""
        node = self[name]
        while node.kind == "getitem" and node.inputs:
            node = self[node.inputs[0]]
        return node

    @cached_property
    def consumers(self) -> Mapping[str, tuple[str, ...]]:
        """The nodes that take each value as an input."""
        found: dict[str, list[str]] = {node.name: [] for node in self.nodes}
        for node in self.nodes:
            for name in dict.fromkeys(node.inputs):
                found[name].append(node.name)
        return {name: tuple(names) for name, names in found.items()}

    def needed(self, injected: Collection[str], wanted: Sequence[str] | None = None) -> list[str]:
        """The values that must be at hand for ``wanted`` (default: the outputs), injected ones included, in order."""
        waiting = list(self.outputs if wanted is None else wanted)
        found: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found.add(name)
            if name not in injected:
                waiting.extend(self[name].inputs)
        return sorted(found, key=self.position)

    def descendants(self, names: Collection[str]) -> set[str]:
        """The values that depend on any of these, and these."""
        found = set(names)
        for node in self.nodes:
            if not found.isdisjoint(node.inputs):
                found.add(node.name)
        return found
