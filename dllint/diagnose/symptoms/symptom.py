"""The base of every symptom.

A symptom is one file of this folder with one class: what it looks for in a :class:`dllint.diagnose.records.RunRecord`, its
thresholds with the source of each, and one sentence for the user. Nothing else has to be registered.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import RunRecord
from dllint.finding import Confidence, Severity
from dllint.observation import Evidence


@dataclass(frozen=True, slots=True)
class Threshold:
    """A number that decides, and where it comes from."""

    value: float
    source: str


@dataclass(frozen=True, slots=True)
class Symptom:
    """Something that is wrong with a run. ``place`` is where to look in the user's code: the line that built the layer, the
    operation, or the optimizer; ``related`` are further places with what they are."""

    code: str
    name: str
    symptom: str
    message: str
    severity: Severity
    confidence: Confidence
    place: SourcePlace | None
    layer: str | None = None
    step: int | None = None
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    related: tuple[tuple[SourcePlace, str], ...] = ()


class SymptomCheck(ABC):
    """Looks for one symptom. ``symptom`` is the name it has in DeepDiagnosis or the catalogue, as printed in reports."""

    code: ClassVar[str]
    name: ClassVar[str]
    symptom: ClassVar[str]
    severity: ClassVar[Severity] = Severity.WARNING
    confidence: ClassVar[Confidence] = Confidence.HIGH
    #: Whether it is only a hint, unless it is an error, while the program does well all the same.
    is_mild: ClassVar[bool] = False
    #: Whether it can only be said of a program that has ended by itself. Trials, which end earlier, compare it all the same.
    needs_end: ClassVar[bool] = False
    #: Names of symptoms that this one explains: they are not reported beside it.
    explains: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """The symptom, once per layer, parameter or loss that shows it; nothing if the run is too short to say."""

    def explaining(self, symptom: Symptom) -> tuple[str, ...]:
        """The symptoms that a report of this one explains."""
        return self.explains

    def remark(self, run: RunRecord) -> str | None:
        """Why nothing can be said about this run, if the user would expect an answer; ``None`` otherwise."""
        return None

    def found(
        self,
        message: str,
        place: SourcePlace | None,
        *,
        layer: str | None = None,
        step: int | None = None,
        severity: Severity | None = None,
        related: tuple[tuple[SourcePlace, str], ...] = (),
        **evidence: Evidence,
    ) -> Symptom:
        """One report of this symptom."""
        return Symptom(
            self.code,
            self.name,
            self.symptom,
            message,
            severity or self.severity,
            self.confidence,
            place,
            layer,
            step,
            evidence,
            related,
        )
