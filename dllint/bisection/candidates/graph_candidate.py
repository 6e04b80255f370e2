"""Any graph that a reference could be, as candidate: another implementation, a program, a variant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from dllint.bisection.graph import Graph
from dllint.bisection.protocols import Arrays, HasSettings, HasWeights, Observable, Reference


class GraphCandidate:
    """Runs as a whole and in parts; nothing is changed by watching, since every operator is run by itself."""

    def __init__(self, model: Reference) -> None:
        self._model = model
        self.inputs = list(model.graph.inputs)
        self.outputs = list(model.graph.outputs)
        self.observables = list(_observables(model.graph))

    def run(self, inputs: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values."""
        return self._model.run(inputs, {}, wanted)

    def segment(self, fed: Arrays, wanted: Sequence[str], inputs: Arrays) -> dict[str, np.ndarray]:
        """The wanted values, from given ones inside and the inputs."""
        return self._model.run(inputs, fed, wanted)

    def weight(self, name: str) -> np.ndarray | None:
        """A weight by its name."""
        return self._model.weight(name) if isinstance(self._model, HasWeights) else None

    def settings(self, name: str) -> Mapping[str, object]:
        """Arguments of the operator that makes a value."""
        return self._model.settings(name) if isinstance(self._model, HasSettings) else {}


def _observables(graph: Graph) -> Iterator[Observable]:
    """Every value that is an array; tuples and sizes are looked through."""
    shown = {node.name for node in graph.nodes if node.shape is not None} | set(graph.inputs)
    for node in graph.nodes:
        if node.name in shown and node.name not in graph.inputs:
            back = [name for name in graph.needed(shown - {node.name}, [node.name]) if name in shown and name != node.name]
            maker = graph.maker(node.name)
            yield Observable(node.name, maker.kind, "", node.module, maker.weights, tuple(back))
