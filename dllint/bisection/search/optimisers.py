"""Which of a runtime's optimisers makes the fault, where it vanishes when values are watched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from dllint.bisection.bench import Bench
from dllint.bisection.protocols import Candidate, HasOptimisers
from dllint.bisection.trials import NOTHING, Part, Put, Trials


@dataclass
class Optimisers:
    """Metrics of the candidate with optimisers switched off; each way is run once."""

    bench: Bench
    trials: Trials
    candidate: HasOptimisers
    alpha: float

    def blame(self) -> list[str]:
        """Sentences: from which level on the metric is right, and which optimisers alone make the difference."""
        weaker = self.candidate.levels[1:]
        level = next((level for level in weaker if self._right(partial(self.candidate.at_level, level))), None)
        if level is None:
            return ["with every optimisation switched off the metric is as low"]
        said = [f"with optimisation `{level}` in place of `{self.candidate.levels[0]}` the metric is right"]
        guilty = self._narrowed(list(self.candidate.optimisers))
        if guilty:
            said.append(f"switching off the optimiser {' and '.join(f'`{name}`' for name in guilty)} suffices")
        return said

    def _narrowed(self, names: Sequence[str]) -> Sequence[str]:
        """The fewest optimisers that have to be off, by halving; empty if that does not mend it."""
        if not names or not self._mended(names):
            return []
        while len(names) > 1:
            halves = names[: len(names) // 2], names[len(names) // 2 :]
            half = next((half for half in halves if self._mended(half)), None)
            if half is None:
                break
            names = half
        return names

    def _mended(self, names: Sequence[str]) -> bool:
        return self._right(lambda: self.candidate.without(names))

    def _right(self, made: Callable[[], Candidate]) -> bool:
        candidate = made()
        origin = f"optimisers:{id(candidate)}"
        names = dict(zip(self.bench.graph.outputs, candidate.outputs, strict=False))

        def outputs(nodes: Sequence[str], positions: np.ndarray) -> Mapping[str, np.ndarray]:
            found = candidate.run(self.bench.samples.candidate_inputs(positions), [names[node] for node in nodes])
            return {node: found[names[node]] for node in nodes}

        self.bench.add(origin, outputs, keep=False)
        put = frozenset(Put(node, origin) for node in names)
        return not self.trials.contrast(NOTHING, put, Part.ALL).drops(self.alpha)
