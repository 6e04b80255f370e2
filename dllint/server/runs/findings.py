"""What a run of ``dllint bisect`` or ``dllint diagnose`` has found, read from the report that it wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dllint.finding import Severity
from dllint.server.diagnostics import two_lines
from dllint.span import Position


class ReportError(Exception):
    """There is no report, or it is none of ours."""


@dataclass(frozen=True, slots=True)
class RunEdit:
    """The replacement of a range of the text that the run has seen."""

    path: Path
    first: Position
    last: Position
    content: str


@dataclass(frozen=True, slots=True)
class RunFix:
    """A repair; ``is_confirmed`` if a trial recommends it."""

    title: str
    edits: tuple[RunEdit, ...]
    is_confirmed: bool


@dataclass(frozen=True, slots=True)
class RunFinding:
    """A finding with its place; without ``last`` it is the rest of the line. Its fixes are those worth applying, the best one
    first; ``page`` is the address of the page of its rule."""

    path: Path
    first: Position
    last: Position | None
    message: str
    severity: Severity
    code: str | None = None
    fixes: tuple[RunFix, ...] = ()
    page: str = ""


@dataclass(frozen=True, slots=True)
class RunReport:
    """The findings, and what is said of the run as a whole."""

    findings: tuple[RunFinding, ...]
    verdict: str


def bisection_report(file: Path, spec: Path) -> RunReport:
    """The culprits of a bisection; one without a place is told at the beginning of the spec.

    Raises:
        ReportError: the file is no report of a bisection.
    """
    report = _loaded(file)
    try:
        culprits = tuple(_culprit(item, spec) for item in report["culprits"])
        return RunReport(culprits, str(report["verdict"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ReportError(f"not a report of a bisection: {error!r}") from error


def diagnosis_report(file: Path, script: Path) -> RunReport:
    """The findings of a diagnosed run, as ``dllint check`` writes them.

    Raises:
        ReportError: the file is no report of a run.
    """
    report = _loaded(file)
    try:
        found = tuple(_finding(item, script) for item in report)
    except (KeyError, TypeError, ValueError) as error:
        raise ReportError(f"not a report of a diagnosis: {error!r}") from error
    return RunReport(found, "" if found else "no symptom was found")


def _loaded(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReportError(f"no report was written ({error.strerror})") from error
    except ValueError as error:
        raise ReportError(f"the report is not JSON: {error}") from error


def _culprit(item: Mapping[str, Any], spec: Path) -> RunFinding:
    low, high = item["interval"]
    text = f"{item['operator']} costs {item['drop']:.4g} ({low:.4g} to {high:.4g}), {item['share']:.0%} of the drop"
    message = "\n".join([text, *_more(item)])
    path = spec.parent / item["filename"] if item["filename"] is not None else None
    if path is None or not path.is_file():
        return RunFinding(spec, Position(1, 1), None, message, Severity.WARNING)
    return RunFinding(path, _position(item["location"]), None, message, Severity.WARNING)


def _more(item: Mapping[str, Any]) -> Iterator[str]:
    if item.get("module"):
        yield f"module: {item['module']}"
    if item.get("suspected"):
        yield f"suspected: {item['suspected']}"


def _finding(item: Mapping[str, Any], script: Path) -> RunFinding:
    first, last = _position(item["location"]), _position(item["end_location"])
    message, severity = two_lines(item["message"], item.get("advice") or ""), Severity(item["severity"])
    path = script.parent / item["filename"]
    if not path.is_file():
        return RunFinding(script, Position(1, 1), None, message, severity, item["code"])
    # What was tried and cannot be recommended is in the report only.
    fixes = tuple(
        _fix(fix, script) for fix in item.get("fixes", ()) if fix["edits"] and (fix["recommended"] or not fix["tested"])
    )
    return RunFinding(path, first, last if first < last else None, message, severity, item["code"], fixes)


def _fix(fix: Mapping[str, Any], script: Path) -> RunFix:
    fared = f"{fix['measure']} {_number(fix['before'])} → {_number(fix['after'])}" if fix["tested"] else "not tried"
    edits = (
        RunEdit(script.parent / edit["filename"], _position(edit["location"]), _position(edit["end_location"]), edit["content"])
        for edit in fix["edits"]
    )
    return RunFix(f"{fix['message']} ({fared})", tuple(edits), bool(fix["recommended"]))


def _number(value: float | str) -> str:
    """A number as reports have it: what is not finite is a text."""
    return value if isinstance(value, str) else f"{value:.3g}"


def _position(place: Mapping[str, int]) -> Position:
    return Position(int(place["row"]), int(place["column"]))
