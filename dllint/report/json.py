"""A JSON array with ruff's keys plus ``advice``, ``severity``, ``confidence``, ``related`` and ``flow``; the schema is
``docs/schema/findings.schema.json``. Findings of a run have more keys: ``docs/schema/diagnosis.schema.json``."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from dllint.edit import Edit, Fix
from dllint.finding import Finding, Related, Releases
from dllint.observation import Evidence, Observation, Remedy
from dllint.report.json_text import json_text
from dllint.report.listing import Listing
from dllint.span import Location, Position


def render(listing: Listing) -> Iterator[str]:
    """The array as one indented document."""
    yield json_text([to_record(finding, listing) for finding in listing.findings])


def to_record(finding: Finding, listing: Listing) -> dict[str, Any]:
    """One finding as a JSON object. Rows and columns are 1-based; columns count code points."""
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "advice": finding.advice or None,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        **_place(finding.location),
        "fix": _fix(finding.fixes[0], listing) if finding.fixes else None,
        "other_fixes": [_fix(fix, listing) for fix in finding.fixes[1:]],
        "related": [_related(related) for related in finding.related],
        "flow": [_related(step) for step in finding.flow],
        "releases": _releases(finding.releases),
        "noqa_row": finding.location.span.first.line,
        "url": None,
        **(_observed(finding.observation, listing) if finding.observation is not None else {}),
    }


def _releases(releases: Releases | None) -> dict[str, Any] | None:
    """The releases that a finding is about, and who decided that the code is for one of them."""
    if releases is None:
        return None
    return {"library": releases.library, "since": releases.since, "decided_by": releases.decided or None}


def _observed(observation: Observation, listing: Listing) -> dict[str, Any]:
    """The keys that only findings of a run have."""
    return {
        "symptom": observation.symptom,
        "layer": observation.layer,
        "step": observation.step,
        "evidence": {name: _number(value) for name, value in observation.evidence.items()},
        "fixes": [_remedy(remedy, listing) for remedy in observation.remedies],
    }


def _remedy(remedy: Remedy, listing: Listing) -> dict[str, Any]:
    trial = remedy.trial
    return {
        "kind": remedy.kind,
        **_fix(remedy.fix, listing),
        "tested": trial is not None,
        "removed_symptom": trial.removed_symptom if trial is not None else None,
        "measure": trial.measure if trial is not None else None,
        "before": _number(trial.before) if trial is not None else None,
        "after": _number(trial.after) if trial is not None else None,
        "seeds": trial.seeds if trial is not None else 0,
        "instead": trial.instead if trial is not None else None,
        "recommended": trial is not None and trial.recommended,
    }


def _number(value: Evidence) -> Evidence:
    """Evidence that JSON can hold: numbers that are not finite become ``nan``, ``inf`` and ``-inf``."""
    if isinstance(value, list):
        return [_number(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _place(location: Location) -> dict[str, Any]:
    return {
        "filename": str(location.path.absolute()),
        "location": _position(location.span.first),
        "end_location": _position(location.span.last),
        "cell": location.cell,
        "node": location.node,
    }


def _position(position: Position) -> dict[str, int]:
    return {"row": position.line, "column": position.column}


def _related(related: Related) -> dict[str, Any]:
    return {"message": related.message, **_place(related.location)}


def _fix(fix: Fix, listing: Listing) -> dict[str, Any]:
    return {
        "applicability": fix.applicability.value,
        "message": fix.message,
        "edits": [_edit(edit, listing) for edit in fix.edits],
    }


def _edit(edit: Edit, listing: Listing) -> dict[str, Any]:
    first, last = listing.edit_positions(edit)
    return {
        "filename": str(edit.path.absolute()),
        "cell": edit.cell,
        "content": edit.content,
        "location": _position(first),
        "end_location": _position(last),
    }
