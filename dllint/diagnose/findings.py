"""From symptoms to findings: places with offsets, and remedies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.symptoms.symptom import Symptom
from dllint.finding import Finding, Related
from dllint.observation import Observation, Remedy
from dllint.source.lines import Lines
from dllint.span import Location, Position, Span

#: Gives the decoded text of a file; empty if it cannot be read.
Read = Callable[[Path], str]


def findings_of(
    symptoms: Sequence[Symptom], remedies_of: Sequence[tuple[Remedy, ...]], script: Path, read: Read
) -> Iterator[Finding]:
    """The findings of a run: each symptom with its remedies, the best one first. Symptoms without a place are reported at the
    beginning of ``script``. What was tried and is not recommended is no fix of the finding."""
    for symptom, remedies in zip(symptoms, remedies_of, strict=True):
        location = location_of(symptom.place, read) if symptom.place is not None else _beginning(script)
        offered = [remedy.fix for remedy in remedies if remedy.trial is None or remedy.trial.recommended]
        yield Finding(
            symptom.code,
            symptom.name,
            symptom.message,
            symptom.severity,
            symptom.confidence,
            location,
            tuple(Related(location_of(place, read), text) for place, text in symptom.related),
            tuple(offered),
            observation=Observation(symptom.symptom, symptom.layer, symptom.step, symptom.evidence, remedies),
        )


def location_of(place: SourcePlace, read: Read) -> Location:
    """A place with the offsets of its text."""
    path = Path(place.path)
    lines = Lines(read(path))
    first, last = Position(place.line, place.column), Position(place.end_line, place.end_column)
    return Location(path, Span(lines.offset(first), lines.offset(last), first, last))


def _beginning(script: Path) -> Location:
    return Location(script, Span(0, 0, Position(1, 1), Position(1, 1)))
