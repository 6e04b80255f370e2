"""What a run of the program adds to a finding: the symptom that was measured, and how each fix fared when it was tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dllint.edit import Fix

#: Differences of a measure below this are the noise of a short run.
_NOISE: Final = 0.01
#: Remedies whose measure is so near to the best are ranked by how well their cause explains the symptom.
ALIKE: Final = 0.05

#: What evidence is made of: numbers, texts, and lists of them.
Evidence = int | float | str | bool | None | list["Evidence"]


@dataclass(frozen=True, slots=True)
class Trial:
    """A fix, tried on the same batches as the program as it is. ``before`` and ``after`` are the measure (``measure`` says
    which; more is better) without and with it. ``learns``: with it, the program predicts better than chance, or its loss falls.
    ``instead`` is a grave symptom that only the repaired program shows: a symptom that gives way to another is not removed.
    ``comparable``: both were measured on the same kind of data; not where the program as it is sees a few samples only.
    """

    removed_symptom: bool
    measure: str
    before: float
    after: float
    seeds: int
    learns: bool = True
    instead: str | None = None
    comparable: bool = True

    @property
    def outcome(self) -> str:
        """What became of the symptom, as a part of a sentence."""
        if self.removed_symptom:
            return "the symptom is gone"
        return f"{self.instead} instead" if self.instead is not None else "the symptom stays"

    @property
    def recommended(self) -> bool:
        """A fix that removes the symptom is no good if the program then learns less, or nothing."""
        is_no_worse = self.after >= self.before - _NOISE or not self.comparable
        return self.removed_symptom and self.learns and is_no_worse


@dataclass(frozen=True, slots=True)
class Remedy:
    """A fix for a symptom. ``kind`` is the family of the repair, say ``learning-rate``; ``trial`` is ``None`` if not tried."""

    kind: str
    fix: Fix
    trial: Trial | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """The symptom behind a finding of ``dllint diagnose``, the layer that shows it (its name in the model), the optimizer step
    at which it was certain, the numbers that it rests on, and the remedies (the best one first)."""

    symptom: str
    layer: str | None
    step: int | None
    evidence: Mapping[str, Evidence]
    remedies: tuple[Remedy, ...] = ()
