"""Where the two sides meet: runs the reference with values of the candidate put in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from dllint.bisection.errors import BisectionError, wrapped_errors
from dllint.bisection.graph import Graph
from dllint.bisection.judges.judge import Outputs
from dllint.bisection.protocols import Aligned, Arrays, Candidate, Reference, RunsSegments
from dllint.bisection.steps import POSTPROCESS
from dllint.bisection.trials import DEPLOYED, REPEAT, Injection

_ADVICE = "set values that it cannot show to `false` in the alignment (`--save-alignment`, `--alignment`)"
#: Gives the values of some of the reference's nodes for the samples at these positions.
Observation = Callable[[Sequence[str], np.ndarray], Mapping[str, np.ndarray]]


class Samples(Protocol):
    """The inputs of both models, by positions of samples, named as each side names its inputs."""

    def reference_inputs(self, positions: np.ndarray) -> Arrays:
        """For the reference."""
        ...

    def candidate_inputs(self, positions: np.ndarray) -> Arrays:
        """For the candidate."""
        ...


class Bench:
    """Observations by name, and runs of the reference with them; ``deployed`` is the candidate on its own inputs."""

    def __init__(
        self,
        reference: Reference,
        candidate: Candidate,
        aligned: Sequence[Aligned],
        samples: Samples,
        processing: tuple[Callable[[Outputs], Outputs], Callable[[Outputs], Outputs]],
    ) -> None:
        """``processing`` is what the reference and what the candidate do with their outputs before the metric sees them."""
        self.reference = reference
        self.candidate = candidate
        self.samples = samples
        self._values = {pair.node: pair.value for pair in aligned}
        self._processing = processing
        self._wrapped: Callable[[Observation, str], Observation] = lambda observation, origin: observation
        self._observations: dict[str, Observation] = {}
        self._bare: dict[str, Observation] = {DEPLOYED: self._deployed}

    @property
    def graph(self) -> Graph:
        """The reference's."""
        return self.reference.graph

    @property
    def aligned(self) -> Mapping[str, str]:
        """The candidate's value by the reference's node."""
        return self._values

    def add(self, origin: str, observation: Observation, keep: bool = True) -> None:
        """Make another set of values known by a name; what is not to be kept goes through no store."""
        self._bare[origin] = observation
        self._observations.pop(origin, None)
        if not keep:
            self._observations[origin] = observation

    def wrap(self, wrapped: Callable[[Observation, str], Observation]) -> None:
        """Let every observation go through a store, those that are added later included."""
        self._wrapped = wrapped
        self._observations = {}

    def observed(self, origin: str, nodes: Sequence[str], positions: np.ndarray) -> Mapping[str, np.ndarray]:
        """The values of some nodes by one observation."""
        if not nodes:
            return {}
        if origin not in self._observations:
            # One run of several of a candidate that is not deterministic has its number behind the name.
            self._observations[origin] = self._wrapped(self._bare[origin.partition(REPEAT)[0]], origin)
        return self._observations[origin](nodes, positions)

    def run(self, injection: Injection, positions: np.ndarray) -> Outputs:
        """The outputs that the metric sees, with the injected values in place."""
        own = any(put.node == POSTPROCESS for put in injection)
        origins = {put.node: put.origin for put in self.alive(injection) if put.node != POSTPROCESS}
        injected = self._injected(origins, positions)
        with wrapped_errors("the reference", "a value of the candidate may not fit; leave it out of the alignment"):
            values = self.reference.run(self.samples.reference_inputs(positions), injected, self.graph.outputs)
        return self._processing[own](tuple(values[name] for name in self.graph.outputs))

    def alive(self, injection: Injection) -> Injection:
        """The injected values that the outputs depend on."""
        needed = set(self.graph.needed({put.node for put in injection if put.node in self.graph}))
        return frozenset(put for put in injection if put.node in needed or put.node == POSTPROCESS)

    def clean(self, nodes: Sequence[str], positions: np.ndarray) -> dict[str, np.ndarray]:
        """The reference's own values."""
        return self.reference.run(self.samples.reference_inputs(positions), {}, nodes)

    def ancestors(self, node: str) -> list[str]:
        """The nearest aligned values (and inputs) that a node is computed from."""
        known = set(self._values) | set(self.graph.inputs)
        back = self.graph.needed(known - {node}, [node])
        return [name for name in back if name in known and name != node]

    def segment(self, fed: Arrays, nodes: Sequence[str], positions: np.ndarray) -> dict[str, np.ndarray]:
        """The candidate's values of some nodes, computed from given values of other nodes and from its inputs.

        Raises :class:`TypeError` if values inside are given and it cannot run in parts.
        """
        inputs = dict(self.samples.candidate_inputs(positions))
        inputs |= {self.named(node): array for node, array in fed.items() if node in self.graph.inputs}
        given = {self.named(node): array for node, array in fed.items() if node not in self.graph.inputs}
        wanted = [self.named(node) for node in nodes]
        if given and not isinstance(self.candidate, RunsSegments):
            raise TypeError("this candidate cannot run in parts")
        runs = self.candidate
        with wrapped_errors("the candidate", _ADVICE):
            found = runs.segment(given, wanted, inputs) if isinstance(runs, RunsSegments) else runs.run(inputs, wanted)
        return {node: found[self.named(node)] for node in nodes}

    def named(self, node: str) -> str:
        """The candidate's name of the value of a node."""
        return self._values.get(node, node)

    def _injected(self, origins: Mapping[str, str], positions: np.ndarray) -> dict[str, np.ndarray]:
        found: dict[str, np.ndarray] = {}
        for origin in sorted(set(origins.values())):
            found |= self.observed(origin, sorted(node for node in origins if origins[node] == origin), positions)
        return found

    def _deployed(self, nodes: Sequence[str], positions: np.ndarray) -> dict[str, np.ndarray]:
        inputs = self.samples.candidate_inputs(positions)
        inside = [node for node in nodes if node not in self.graph.inputs]
        with wrapped_errors("the candidate", _ADVICE):
            found = self.candidate.run(inputs, [self.named(node) for node in inside]) if inside else {}
        values = {node: found[self.named(node)] for node in inside}
        return values | self._fed(set(nodes) - set(inside), inputs)

    def _fed(self, names: Iterable[str], inputs: Arrays) -> dict[str, np.ndarray]:
        missing = [name for name in names if self.named(name) not in inputs]
        if missing:
            text = f"the candidate is fed no `{missing[0]}`"
            raise BisectionError(text, "name the candidate's inputs as the reference's, or map them in the alignment")
        return {name: inputs[self.named(name)] for name in names}
