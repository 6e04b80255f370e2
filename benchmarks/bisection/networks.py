"""Networks in numpy whose true accuracy is known: every operator turns the state, and one can turn chosen samples' answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import pairwise

import numpy as np

from dllint.bisection.graph import Graph, Node
from dllint.bisection.protocols import Observable

Operator = Callable[[np.ndarray], np.ndarray]


class Network:
    """A row of operators on states of shape (samples, 1 + classes), the first column being the number of the sample.

    It serves as reference and as candidate that can run in parts.
    """

    def __init__(self, rotations: Sequence[np.ndarray], changed: Mapping[str, Operator]) -> None:
        self._rotations = rotations
        self.operators = [f"turn{i}" for i in range(len(rotations))] + ["logits"]
        self._changed = changed
        names = ["x", *self.operators]
        nodes = [Node("x", "placeholder"), *(Node(b, "op", (a,)) for a, b in pairwise(names))]
        self.graph = Graph(tuple(nodes), ("x",), ("logits",))
        self.observables = [Observable(name) for name in self.operators]
        self.outputs = ["logits"]

    def run(self, inputs, injected_or_wanted, wanted=None):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        """As a reference (inputs, injected, wanted) and as a candidate (inputs, wanted)."""
        injected = injected_or_wanted if wanted is not None else {}
        return self.segment(injected, wanted if wanted is not None else injected_or_wanted, inputs)

    def segment(
        self, fed: Mapping[str, np.ndarray], wanted: Sequence[str], inputs: Mapping[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        """The wanted values from the fed ones."""
        values = {**inputs, **fed}
        for name in self.graph.needed(set(values), wanted):
            if name not in values:
                right = self._operator(name)
                (before,) = self.graph[name].inputs
                values[name] = self._changed.get(name, right)(values[before])
        return {name: values[name] for name in wanted}

    def answering(self, name: str, answers: np.ndarray) -> Network:
        """The same with an operator that gives sample ``i`` the class ``answers[i]``, unless that is below 0."""
        right = self._operator(name)
        position = self.operators.index(name)
        states = np.eye(self.classes) if name == "logits" else self._turned(position + 1)

        def changed(state: np.ndarray) -> np.ndarray:
            wanted = answers[state[:, 0].astype(int)]
            out = right(state).copy()
            out[wanted >= 0, out.shape[1] - self.classes :] = states[wanted[wanted >= 0]]
            return out

        return Network(self._rotations, {name: changed})

    @property
    def classes(self) -> int:
        """How many there are."""
        return len(self._rotations[0])

    def _turned(self, count: int) -> np.ndarray:
        """What the first operators make of the unit vectors."""
        return reduce(np.matmul, self._rotations[:count], np.eye(self.classes))

    def _operator(self, name: str) -> Operator:
        if name == "logits":
            back = self._turned(len(self._rotations)).T
            return lambda state: state[:, 1:] @ back
        rotation = self._rotations[self.operators.index(name)]
        return lambda state: np.hstack([state[:, :1], state[:, 1:] @ rotation])


def rotating(depth: int, classes: int, generator: np.random.Generator) -> Network:
    """A network whose logits are its input's last columns, turned to and fro."""
    turns = [np.linalg.qr(generator.normal(size=(classes, classes)))[0] for _ in range(depth)]
    return Network(turns, {})


class Rows:
    """Samples in memory, the same for both sides."""

    def __init__(self, logits: np.ndarray) -> None:
        self._x = np.hstack([np.arange(len(logits))[:, None], logits])

    def reference_inputs(self, positions: np.ndarray) -> dict[str, np.ndarray]:
        """For the reference."""
        return {"x": self._x[positions]}

    def candidate_inputs(self, positions: np.ndarray) -> dict[str, np.ndarray]:
        """For the candidate."""
        return {"x": self._x[positions]}
