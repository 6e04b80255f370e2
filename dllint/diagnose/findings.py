"""From symptoms to findings: places with offsets, and the repairs that the static check has prepared for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.symptoms.symptom import Symptom
from dllint.finding import Finding, Related
from dllint.observation import Observation, Remedy
from dllint.source.lines import Lines
from dllint.span import Location, Position, Span

#: Gives the decoded text of a file; empty if it cannot be read.
Read = Callable[[Path], str]


def findings_of(symptoms: Iterable[Symptom], static: Iterable[Finding], script: Path, read: Read) -> Iterator[Finding]:
    """The findings of a run. ``static`` are those of the check before it; a repair that one of them has at the place of a
    symptom is a remedy for the symptom. Symptoms without a place are told at the beginning of ``script``."""
    known = tuple(static)
    for symptom in symptoms:
        location = location_of(symptom.place, read) if symptom.place is not None else _beginning(script)
        remedies = tuple(remedies_at(location, known))
        yield Finding(
            symptom.code,
            symptom.name,
            symptom.message,
            symptom.severity,
            symptom.confidence,
            location,
            tuple(Related(location_of(place, read), text) for place, text in symptom.related),
            tuple(remedy.fix for remedy in remedies),
            observation=Observation(symptom.symptom, symptom.layer, symptom.step, symptom.evidence, remedies),
        )


def location_of(place: SourcePlace, read: Read) -> Location:
    """A place with the offsets of its text."""
    path = Path(place.path)
    lines = Lines(read(path))
    first, last = Position(place.line, place.column), Position(place.end_line, place.end_column)
    return Location(path, Span(lines.offset(first), lines.offset(last), first, last))


def remedies_at(location: Location, static: Iterable[Finding]) -> Iterator[Remedy]:
    """The repairs of static findings on the lines of a place."""
    first, last = location.span.first.line, location.span.last.line
    for finding in static:
        if finding.location.path.absolute() == location.path.absolute() and first <= finding.location.span.first.line <= last:
            yield from (Remedy(finding.name, fix) for fix in finding.fixes)


def _beginning(script: Path) -> Location:
    return Location(script, Span(0, 0, Position(1, 1), Position(1, 1)))
