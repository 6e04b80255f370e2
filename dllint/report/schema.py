"""The JSON Schema of ``--output-format json``; published as ``docs/schema/findings.schema.json``."""

from __future__ import annotations

from typing import Any

from dllint.edit import Applicability
from dllint.finding import Confidence, Severity


def findings_schema() -> dict[str, Any]:
    """The schema of the whole output: an array of findings."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Findings of dllint check --output-format json",
        "type": "array",
        "items": {"$ref": "#/$defs/finding"},
        "$defs": {"position": _POSITION, "edit": _edit(), "fix": _fix(), "related": _related(), "finding": _finding()},
    }


_POSITION: dict[str, Any] = {
    "type": "object",
    "description": "A 1-based row and column; columns count code points.",
    "properties": {"row": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
    "required": ["row", "column"],
    "additionalProperties": False,
}


def _place() -> dict[str, Any]:
    return {
        "filename": {"type": "string", "description": "The absolute path."},
        "location": {"$ref": "#/$defs/position"},
        "end_location": {"$ref": "#/$defs/position"},
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _edit() -> dict[str, Any]:
    return _object({**_place(), "cell": _cell(), "content": {"type": "string", "description": "The replacement of the range."}})


def _fix() -> dict[str, Any]:
    return _object(
        {
            "applicability": {"enum": [applicability.value for applicability in Applicability]},
            "message": {"type": "string"},
            "edits": {"type": "array", "items": {"$ref": "#/$defs/edit"}},
        }
    )


def _cell() -> dict[str, Any]:
    return {"type": ["integer", "null"], "description": "The 1-based notebook cell."}


def _node() -> dict[str, Any]:
    text = "The node of a graph; the rows of a graph whose file is no text are those of its listing (`dllint ir`)."
    return {"type": ["string", "null"], "description": text}


def _related() -> dict[str, Any]:
    return _object({"message": {"type": "string"}, **_place(), "cell": _cell(), "node": _node()})


def _finding() -> dict[str, Any]:
    return _object(
        {
            "code": {"type": "string", "description": "A rule's code, `syntax-error` or `io-error`."},
            "name": {"type": "string"},
            "message": {"type": "string", "description": "One sentence with the actual shapes."},
            "severity": {"enum": [severity.value for severity in Severity]},
            "confidence": {"enum": [confidence.value for confidence in Confidence]},
            **_place(),
            "fix": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/fix"}], "description": "The preferred fix."},
            "other_fixes": {"type": "array", "items": {"$ref": "#/$defs/fix"}},
            "related": {"type": "array", "items": {"$ref": "#/$defs/related"}},
            "flow": {
                "type": "array",
                "items": {"$ref": "#/$defs/related"},
                "description": "How the danger comes about, from its source to the operation that fails.",
            },
            "noqa_row": {"type": "integer", "minimum": 1, "description": "The row on which a suppression comment works."},
            "url": {"type": ["string", "null"]},
            "cell": _cell(),
            "node": _node(),
        }
    )
