"""The base of every hypothesis.

A hypothesis is one file of this folder with one class: which symptoms it can explain and how well (``supports``, the decision
tree of the fact sheet as data), what in the record speaks for it, and the edits that would repair it. Nothing else has to be
registered.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.edit import Edit

#: Symptoms that have the causes of another one.
ALIKE: Final = {
    "no better than baseline": "accuracy not increasing",
    "input-independent output": "accuracy not increasing",
    "invalid accuracy": "out of range",
    "gradient noise": "oscillation",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A repair that could be tried. ``score``, between 0 and 1, is how well symptom and evidence speak for it; a repair of
    several symptoms, or one that several hypotheses offer, is one and the same: its edits. Their paths are absolute."""

    kind: str = field(compare=False)
    message: str = field(compare=False)
    edits: tuple[Edit, ...]
    score: float = field(compare=False)


class Hypothesis(ABC):
    """A possible cause. ``kind`` is the family of its repair, as printed in reports."""

    kind: ClassVar[str]
    #: Symptom → how well this cause explains it before anything else is known of the run; others are not explained.
    supports: ClassVar[Mapping[str, float]]

    def candidates(self, case: Case) -> Iterator[Candidate]:
        """The repairs of this cause, weighted by how well it explains the symptom."""
        symptom = case.symptom.symptom
        weight = self.supports.get(symptom) or self.supports.get(ALIKE.get(symptom, ""), 0.0)
        if weight:
            for message, edits, strength in self.repairs(case):
                yield Candidate(self.kind, message, edits, weight * strength)

    @abstractmethod
    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Repairs with how strongly the record speaks for each (0 to 1); none if it speaks against the cause."""
