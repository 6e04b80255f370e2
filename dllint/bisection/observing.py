"""At which level of optimisation a candidate's intermediate values are watched.

The weakest level is chosen at which the model does to each sample what the deployed one does: there the fewest operators are
fused, every value has its plain layout, and most have a partner in the reference. A fault that an optimiser makes is absent
from the weaker levels, so that such a model is watched at a stronger one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from dllint.bisection.judges.judge import Judge, Outputs, Targets, chosen
from dllint.bisection.protocols import Arrays, Candidate, HasUntapped, ObservedAtLevels, Reference
from dllint.bisection.samples import NamedSamples

#: A weaker level may change a sample's contribution by so much of what the deployment changes (rounding of 8-bit integers).
_SHARE: Final = 0.25
#: Without contributions outputs are compared; a relative difference that libraries make by summing in another order.
_ROUNDING: Final = 1e-4


@dataclass(frozen=True)
class Deployment:
    """What both sides do to the samples. ``judge`` is ``None`` where asking it is dear; ``processed`` is for each side."""

    reference: Reference
    candidate: Candidate
    samples: NamedSamples
    targets: Targets
    judge: Judge | None
    processed: tuple[Callable[[Outputs], Outputs], Callable[[Outputs], Outputs]]
    chunks: Sequence[np.ndarray]
    #: The candidate's outputs in the order of the reference's.
    outputs: Sequence[str]

    def observed(self) -> Candidate:
        """The candidate with its values watched at the weakest level that does the same to each sample."""
        candidate = self.candidate
        if not isinstance(candidate, ObservedAtLevels) or not isinstance(candidate, HasUntapped) or len(candidate.levels) < 2:
            return candidate
        deployed = _joined(self._judged(candidate.untapped))
        # What the deployment changes in each sample at all.
        changed = np.abs(_joined(self._referred()) - deployed)
        for level in reversed(candidate.levels[1:]):
            found = self._at(candidate, level)
            if found is not None and self._alike(found, deployed, changed):
                return found
        return candidate

    def _at(self, candidate: ObservedAtLevels, level: str) -> Candidate | None:
        try:
            return candidate.observed_at(level)
        except Exception:  # A runtime may have no kernel for what only its optimisers remove.
            return None

    def _alike(self, candidate: Candidate, deployed: np.ndarray, changed: np.ndarray) -> bool:
        try:
            found = _joined(self._judged(lambda inputs: candidate.run(inputs, self.outputs)))
        except Exception:
            return False
        if found.shape != deployed.shape or not np.array_equal(np.isfinite(found), np.isfinite(deployed)):
            return False
        finite = np.isfinite(found) & np.isfinite(changed)
        far = float(np.abs(found - deployed)[np.isfinite(found)].sum())
        size = float(np.abs(deployed[np.isfinite(deployed)]).sum())
        return far <= max(_SHARE * float(changed[finite].sum()), _ROUNDING * size)

    def _referred(self) -> Iterator[np.ndarray]:
        names = self.reference.graph.outputs
        for chunk in self.chunks:
            values = self.reference.run(self.samples.reference_inputs(chunk), {}, names)
            yield self._told(self.processed[0](tuple(values[name] for name in names)), chunk)

    def _judged(self, run: Callable[[Arrays], Arrays]) -> Iterator[np.ndarray]:
        for chunk in self.chunks:
            values = run(self.samples.candidate_inputs(chunk))
            outputs = tuple(np.asarray(values[name]) for name in self.outputs)
            yield self._told(self.processed[1](outputs), chunk)

    def _told(self, outputs: Outputs, chunk: np.ndarray) -> np.ndarray:
        """What each sample contributes, else the outputs themselves."""
        outcome = None if self.judge is None else self.judge.measure(outputs, chosen(self.targets, chunk))
        if outcome is not None and outcome.contributions is not None:
            return outcome.contributions
        return np.concatenate([np.asarray(array, dtype=np.float64).reshape(-1) for array in outputs])


def _joined(parts: Iterator[np.ndarray]) -> np.ndarray:
    return np.concatenate(list(parts))
