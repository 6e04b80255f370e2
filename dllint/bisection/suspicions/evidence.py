"""What a suspicion is judged by: one operator, computed on both sides from the same values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

#: Relative error up to which a hypothesis explains a value; low precision has to stay below it.
EXPLAINED = 0.02
#: Relative error of values that need no explanation.
ALIKE = 1e-4


@dataclass(frozen=True)
class Evidence:
    """The operator's value by the reference and by the candidate, shape (samples, …) each, from the same values in front."""

    expected: np.ndarray
    found: np.ndarray
    #: The kind of the reference's operator (``softmax``).
    kind: str = ""
    #: Arguments of the reference's operator and attributes of the candidate's, under one set of names.
    settings: tuple[Mapping[str, object], Mapping[str, object]] = field(default_factory=lambda: ({}, {}))
    #: Weights on both sides, those that belong together in pairs.
    weights: tuple[tuple[np.ndarray, np.ndarray], ...] = ()

    @property
    def finite(self) -> bool:
        """Whether both values can be calculated with."""
        return self.same_shape and bool(np.isfinite(self.expected).all() and np.isfinite(self.found).all())

    @property
    def same_shape(self) -> bool:
        """Whether the values can be compared element by element."""
        return self.expected.shape == self.found.shape

    @property
    def distance(self) -> float:
        """The relative error of the candidate."""
        return error(self.found, self.expected)

    def explains(self, hypothesis: np.ndarray) -> bool:
        """Whether a changed value of the reference is what the candidate has, and much closer to it than the unchanged one."""
        left, own = error(hypothesis, self.found), error(self.expected, self.found)
        return bool(own > ALIKE and left < EXPLAINED and left < 0.2 * own)


def error(values: np.ndarray, right: np.ndarray) -> float:
    """The norm of the difference over the norm of what is right; 0 for equal values."""
    difference = float(np.linalg.norm(values.astype(np.float64) - right.astype(np.float64)))
    size = float(np.linalg.norm(right.astype(np.float64)))
    return difference / size if size else float(difference > 0)
