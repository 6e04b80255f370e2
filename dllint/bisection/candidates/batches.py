"""A candidate whose batch size was fixed by its export, as one that takes any number of samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dllint.bisection.batching import in_batches
from dllint.bisection.protocols import Arrays, Candidate, RunsSegments


def in_fixed_batches(candidate: Candidate) -> Candidate:
    """The candidate itself, unless it says by ``batch`` that it takes exactly so many samples."""
    batch = getattr(candidate, "batch", None)
    if batch is None:
        return candidate
    return FixedBatchParts(candidate, batch) if isinstance(candidate, RunsSegments) else FixedBatch(candidate, batch)


class FixedBatch:
    """Runs a candidate batch by batch; the rest of what it can do is handed on."""

    def __init__(self, candidate: Candidate, batch: int) -> None:
        self._candidate: Any = candidate
        self._batch = batch
        self.observables = candidate.observables
        self.outputs = candidate.outputs

    def run(self, inputs: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values."""
        return in_batches(lambda piece: self._candidate.run(piece, wanted), inputs, self._batch)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._candidate, name)
        return (lambda inputs: in_batches(found, inputs, self._batch)) if name == "untapped" else found


class FixedBatchParts(FixedBatch):
    """The same for a candidate that can run in parts."""

    def segment(self, fed: Arrays, wanted: Sequence[str], inputs: Arrays) -> dict[str, np.ndarray]:
        """The wanted values from fed ones and the inputs."""

        def run(piece: Arrays) -> dict[str, np.ndarray]:
            given = {name: piece[name] for name in fed}
            found: dict[str, np.ndarray] = self._candidate.segment(given, wanted, {name: piece[name] for name in inputs})
            return found

        return in_batches(run, {**inputs, **fed}, self._batch)
