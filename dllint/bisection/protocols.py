"""What a reference and a candidate must be able to do. Arrays carry the samples along their first axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np

from dllint.bisection.graph import Graph

Arrays: TypeAlias = Mapping[str, np.ndarray]


class Reference(Protocol):
    """The model that is right by definition, as a graph whose suffix can be run with values put in."""

    graph: Graph

    def run(self, inputs: Arrays, injected: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values, computed from the inputs and the injected values; nothing that neither needs is run."""
        ...


@dataclass(frozen=True, slots=True)
class Observable:
    """A value of the candidate that can be watched, with what the exporter wrote about it."""

    name: str
    #: The operator that makes it.
    kind: str = ""
    #: The name of the reference's node and the module path, if the exporter kept them.
    node: str = ""
    module: str = ""
    #: Names (in the candidate) of the constant weights that its operator takes.
    weights: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    #: Whether its numbers lie in the order of the operator's definition; a runtime's blocked layouts do not.
    plain: bool = True


class Candidate(Protocol):
    """The deployed model, by the plain protocol: inputs and names of values in, arrays out."""

    #: In topological order, outputs included.
    observables: Sequence[Observable]
    #: Names of the outputs, in the order of the reference's outputs.
    outputs: Sequence[str]

    def run(self, inputs: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values for these inputs."""
        ...


@runtime_checkable
class RunsSegments(Protocol):
    """A candidate that can run a part of itself from given intermediate values."""

    def segment(self, fed: Arrays, wanted: Sequence[str], inputs: Arrays) -> dict[str, np.ndarray]:
        """The wanted values, computed from the fed intermediate values and, where they do not suffice, the inputs."""
        ...


@runtime_checkable
class HasWeights(Protocol):
    """A side whose constant weights can be compared with the other side's."""

    def weight(self, name: str) -> np.ndarray | None:
        """A weight by its name, or None if there is none."""
        ...


@runtime_checkable
class HasUntapped(Protocol):
    """A candidate that watching may change; it can also be run as it is deployed."""

    def untapped(self, inputs: Arrays) -> Mapping[str, np.ndarray]:
        """The outputs of the model as it is deployed."""
        ...


@runtime_checkable
class HasOptimisers(Protocol):
    """A candidate whose runtime rewrites it, by optimisers that can be switched off."""

    #: From the one it is deployed with to none.
    levels: Sequence[str]
    optimisers: Sequence[str]

    def at_level(self, level: str) -> Candidate:
        """The same model at another level."""
        ...

    def without(self, optimisers: Sequence[str]) -> Candidate:
        """The same model at its own level, without some optimisers."""
        ...


@runtime_checkable
class ObservedAtLevels(Protocol):
    """A candidate whose intermediate values can be watched at weaker levels of optimisation than it is deployed with."""

    #: From the one it is deployed with to none.
    levels: Sequence[str]

    def observed_at(self, level: str) -> Candidate:
        """The same deployed model, its intermediate values watched at a level."""
        ...


@runtime_checkable
class HasSettings(Protocol):
    """A side that gives the arguments of its operators."""

    def settings(self, name: str) -> Mapping[str, object]:
        """Of the operator that makes a value; under the names ``epsilon``, ``axis``, ``padding``, ``stride`` …"""
        ...


@dataclass(frozen=True, slots=True)
class Aligned:
    """One value known on both sides; ``why`` says what the pairing rests on (``name``, ``metadata``, ``weights`` …)."""

    node: str
    value: str
    why: str
