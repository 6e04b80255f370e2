"""A candidate whose batch size was fixed by its export, as one that takes any number of samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from dllint.bisection.batching import in_batches
from dllint.bisection.protocols import Arrays, Candidate, Observable


def in_fixed_batches(candidate: Candidate) -> Candidate:
    """The candidate itself, unless it says by ``batch`` that it takes exactly so many samples."""
    batch = getattr(candidate, "batch", None)
    return candidate if batch is None else FixedBatch(candidate, batch)


class FixedBatch:
    """Runs a candidate batch by batch; it can do what the candidate can."""

    def __init__(self, candidate: Candidate, batch: int) -> None:
        self._candidate: Any = candidate
        self._batch = batch
        self.observables: Sequence[Observable] = candidate.observables
        self.outputs: Sequence[str] = candidate.outputs
        # Set on the object, since abilities are recognised by the attributes of an object.
        for name in _AS_IT_IS:
            if hasattr(candidate, name):
                setattr(self, name, getattr(candidate, name))
        for name in _BY_BATCH:
            if hasattr(candidate, name):
                setattr(self, name, getattr(self, f"_{name}"))

    def run(self, inputs: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values."""
        return in_batches(lambda piece: self._candidate.run(piece, wanted), inputs, self._batch)

    def _untapped(self, inputs: Arrays) -> dict[str, np.ndarray]:
        return in_batches(self._candidate.untapped, inputs, self._batch)

    def _segment(self, fed: Arrays, wanted: Sequence[str], inputs: Arrays) -> dict[str, np.ndarray]:
        def run(piece: Arrays) -> dict[str, np.ndarray]:
            given = {name: piece[name] for name in fed}
            found: dict[str, np.ndarray] = self._candidate.segment(given, wanted, {name: piece[name] for name in inputs})
            return found

        return in_batches(run, {**inputs, **fed}, self._batch)

    def _at_level(self, level: str) -> Candidate:
        return FixedBatch(self._candidate.at_level(level), self._batch)

    def _observed_at(self, level: str) -> Candidate:
        return FixedBatch(self._candidate.observed_at(level), self._batch)

    def _without(self, optimisers: Sequence[str]) -> Candidate:
        return FixedBatch(self._candidate.without(optimisers), self._batch)


_AS_IT_IS: Final = ("inputs", "weight", "settings", "levels", "optimisers")
_BY_BATCH: Final = ("untapped", "segment", "at_level", "observed_at", "without")
