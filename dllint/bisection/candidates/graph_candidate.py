"""Any graph that a reference could be, as candidate: another implementation, a program, a variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dllint.bisection.protocols import Arrays, HasSettings, HasWeights, Observable, Reference


class GraphCandidate:
    """Runs as a whole and in parts; nothing is changed by watching, since every operator is run by itself."""

    def __init__(self, model: Reference) -> None:
        self._model = model
        graph = model.graph
        self.inputs = list(graph.inputs)
        self.outputs = list(graph.outputs)
        self.observables = [
            Observable(node.name, node.kind, "", node.module, node.weights, node.inputs)
            for node in graph.nodes
            if node.name not in graph.inputs
        ]

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
