"""Findings and notices as plain JSON data, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dllint.edit import Applicability, Edit, Fix
from dllint.engine.results import Notice
from dllint.finding import Confidence, Finding, Related, Releases, Severity
from dllint.source.observed import Answered, Question, Searched, State
from dllint.span import Location, Position, Span


def finding_to_data(finding: Finding) -> list[Any]:
    """A finding as nested lists."""
    related, flow = _places_to_data(finding.related), _places_to_data(finding.flow)
    fixes = [[fix.message, fix.applicability.value, [_edit_to_data(e) for e in fix.edits]] for fix in finding.fixes]
    place = _location_to_data(finding.location)
    certainty = [finding.severity.value, finding.confidence.value]
    return [
        finding.code,
        finding.name,
        finding.message,
        *certainty,
        place,
        related,
        fixes,
        flow,
        finding.advice,
        _releases_to_data(finding),
    ]


def finding_from_data(data: list[Any]) -> Finding:
    """The finding of :func:`finding_to_data`. Raises ValueError, TypeError or LookupError on anything else."""
    code, name, message, severity, confidence, place, related, fixes, flow, advice, releases = data
    return Finding(
        code,
        name,
        message,
        Severity(severity),
        Confidence(confidence),
        _location_from_data(place),
        _places_from_data(related),
        tuple(Fix(text, tuple(map(_edit_from_data, edits)), Applicability(kind)) for text, kind, edits in fixes),
        _places_from_data(flow),
        advice=advice,
        releases=None if releases is None else Releases(*releases),
    )


def _releases_to_data(finding: Finding) -> list[Any] | None:
    found = finding.releases
    return None if found is None else [found.library, found.since, found.what, found.usual, found.decided, found.recent]


def notice_to_data(notice: Notice) -> list[Any]:
    """A notice as a list."""
    return [notice.kind, str(notice.path), notice.message]


def notice_from_data(data: list[Any]) -> Notice:
    """The notice of :func:`notice_to_data`."""
    kind, path, message = data
    return Notice(kind, Path(path), message)


def state_to_data(state: State) -> list[Any]:
    """The state of a searched directory as nested lists."""
    return [str(state.place.directory), state.place.below, state.digest, [list(each) for each in state.young]]


def state_from_data(data: list[Any]) -> State:
    """The state of :func:`state_to_data`. Raises ValueError or TypeError on anything else."""
    directory, below, digest, young = data
    return State(Searched(Path(directory), below), digest, tuple((path, content) for path, content in young))


def answered_to_data(answered: Answered) -> list[Any]:
    """A question with its answer as nested lists."""
    (kind, given), places, answer = answered
    return [kind, list(given), [[str(place.directory), place.below] for place in places], answer]


def answered_from_data(data: list[Any]) -> Answered:
    """The question and answer of :func:`answered_to_data`. Raises ValueError or TypeError on anything else."""
    kind, given, places, answer = data
    return Answered(
        Question(kind, tuple(given)), tuple(Searched(Path(directory), below) for directory, below in places), answer
    )


def _places_to_data(places: tuple[Related, ...]) -> list[Any]:
    return [[_location_to_data(place.location), place.message] for place in places]


def _places_from_data(data: list[Any]) -> tuple[Related, ...]:
    return tuple(Related(_location_from_data(location), text) for location, text in data)


def _location_to_data(location: Location) -> list[Any]:
    span = location.span
    return [
        str(location.path), span.start, span.end, span.first.line, span.first.column, span.last.line, span.last.column,
        location.cell,
    ]  # fmt: skip


def _location_from_data(data: list[Any]) -> Location:
    path, start, end, line, column, last_line, last_column, cell = data
    return Location(Path(path), Span(start, end, Position(line, column), Position(last_line, last_column)), cell)


def _edit_to_data(edit: Edit) -> list[Any]:
    return [str(edit.path), edit.start, edit.end, edit.content, edit.cell]


def _edit_from_data(data: list[Any]) -> Edit:
    path, start, end, content, cell = data
    return Edit(Path(path), start, end, content, cell)
