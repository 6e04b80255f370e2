"""SARIF 2.1.0 for code-scanning services: paths relative to the repository (else to the working directory), fingerprints that
survive moved lines, related locations, code flows and fixes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from dllint import __version__
from dllint.edit import Applicability, Edit, Fix
from dllint.engine.figures import Figures
from dllint.finding import Confidence, Finding, Related, Severity
from dllint.report.json_text import json_text
from dllint.report.listing import Listing, RuleText
from dllint.span import Location, Position

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", Severity.HINT: "note"}
_PROBLEMS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning"}
_PRECISION: Final = {Confidence.HIGH: "very-high", Confidence.MEDIUM: "high", Confidence.LOW: "medium"}
_LONGEST_TEXT: Final = 1_000


def render(listing: Listing) -> Iterator[str]:
    """The log as one indented document with a single run."""
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [_run(listing)]}
    yield json_text(log)


def _run(listing: Listing) -> dict[str, Any]:
    occurring = {finding.code: finding for finding in listing.findings}
    seen: Counter[str] = Counter()
    return {
        "tool": {
            "driver": {
                "name": "dllint",
                "semanticVersion": __version__,
                "version": __version__,
                "rules": [_rule(finding, listing.rules.get(code)) for code, finding in sorted(occurring.items())],
            }
        },
        **({} if listing.figures is None else {"invocations": [_invocation(listing.figures)]}),
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, listing, seen) for finding in listing.findings],
    }


def _invocation(figures: Figures) -> dict[str, Any]:
    return {"executionSuccessful": not figures.failed, "properties": {"followed": figures.to_data()}}


def _rule(finding: Finding, text: RuleText | None) -> dict[str, Any]:
    summary = text.summary if text else finding.name
    page = text.page if text else finding.name
    return {
        "id": finding.code,
        "name": finding.name,
        "shortDescription": {"text": summary[:_LONGEST_TEXT]},
        "fullDescription": {"text": summary[:_LONGEST_TEXT]},
        "help": {"text": page, "markdown": page},
        "properties": {
            "precision": _PRECISION[finding.confidence],
            "problem.severity": _PROBLEMS.get(finding.severity, "recommendation"),
        },
    }


def _result(finding: Finding, listing: Listing, seen: Counter[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": _sentences(finding.message, finding.advice)},
        "locations": [_location(finding.location, listing)],
        "partialFingerprints": {"dllint/v1": _fingerprint(finding, listing, seen)},
        "properties": {"confidence": finding.confidence.value, "advice": finding.advice or None},
    }
    if finding.related:
        result["relatedLocations"] = [{"id": n, **_step(r, listing)} for n, r in enumerate(finding.related, 1)]
    if finding.flow:
        steps = [{"location": _step(step, listing)} for step in finding.flow]
        result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    fixes = [_fix(fix, listing) for fix in finding.fixes if _can_be_written(fix)]
    if fixes:
        result["fixes"] = fixes
    return result


def _sentences(*texts: str) -> str:
    """Texts as sentences; of a message that is too long for them, viewers show the first."""
    return " ".join(f"{text[:1].upper()}{text[1:]}." for text in texts if text)


def _step(related: Related, listing: Listing) -> dict[str, Any]:
    return {**_location(related.location, listing), "message": {"text": related.message}}


def _can_be_written(fix: Fix) -> bool:
    """Whether a fix is an edit of files that SARIF can state."""
    return fix.applicability is not Applicability.DISPLAY and all(edit.cell is None for edit in fix.edits)


def _fingerprint(finding: Finding, listing: Listing, seen: Counter[str]) -> str:
    """A hash of rule, file and line text, numbered where it repeats."""
    place = finding.location
    line = listing.source(place.path, place.cell).line(place.span.first.line)
    key = "\0".join((finding.code, _relative(place.path, listing) or str(place.path), line.strip()))
    seen[key] += 1
    return f"{sha256(key.encode('utf-8', 'backslashreplace')).hexdigest()[:16]}:{seen[key]}"


def _physical(location: Location, listing: Listing) -> dict[str, Any]:
    """Where a finding is. SARIF has no cells: of a notebook, the lines of the file that hold the cell's are given."""
    artifact = {"artifactLocation": {"uri": _uri(location.path, listing)}}
    span = location.span
    if location.in_file:
        return {**artifact, "region": _region(span.first, span.last)}
    first, last = listing.lines_in_file(location)
    return {**artifact, "region": {"startLine": first, "endLine": last}}


def _location(location: Location, listing: Listing) -> dict[str, Any]:
    place: dict[str, Any] = {"physicalLocation": _physical(location, listing)}
    if location.cell is not None:
        first = location.span.first
        name = f"cell {location.cell}, line {first.line}, column {first.column}"
        place["logicalLocations"] = [{"name": name, "kind": "module"}]
    elif location.node is not None:
        place["logicalLocations"] = [{"name": location.node, "kind": "member"}]
    return place


def _region(first: Position, last: Position) -> dict[str, int]:
    return {"startLine": first.line, "startColumn": first.column, "endLine": last.line, "endColumn": last.column}


def _uri(path: Path, listing: Listing) -> str:
    relative = _relative(path, listing)
    return quote(os.fsencode(relative)) if relative is not None else Path(os.path.normpath(path.absolute())).as_uri()


def _relative(path: Path, listing: Listing) -> str | None:
    """A path below the repository, else below the working directory, as services want it; ``None`` for one outside."""
    full, root = Path(os.path.normpath(path.absolute())), _repository(listing.base)
    return full.relative_to(root).as_posix() if full.is_relative_to(root) else None


@cache
def _repository(base: Path) -> Path:
    """The innermost folder around ``base`` that is a checkout; ``base`` itself if there is none."""
    return next((folder for folder in (base, *base.parents) if os.path.exists(folder / ".git")), base)


def _fix(fix: Fix, listing: Listing) -> dict[str, Any]:
    by_path: dict[Path, list[Edit]] = {}
    for edit in fix.edits:
        by_path.setdefault(edit.path, []).append(edit)
    changes = [
        {
            "artifactLocation": {"uri": _uri(path, listing)},
            "replacements": [_replacement(edit, listing) for edit in edits],
        }
        for path, edits in by_path.items()
    ]
    return {"description": {"text": fix.message}, "artifactChanges": changes}


def _replacement(edit: Edit, listing: Listing) -> dict[str, Any]:
    return {"deletedRegion": _region(*listing.edit_positions(edit)), "insertedContent": {"text": edit.content}}
