"""The JSON Schemas of ``--output-format json`` and ``--coverage-file``; published in ``docs/schema``."""

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


def diagnosis_schema() -> dict[str, Any]:
    """The schema of the whole output of ``dllint diagnose``: an array of findings with what the run has shown."""
    finding = _finding()
    observed = {**finding["properties"], **_observed()}
    return {
        **findings_schema(),
        "title": "Findings of dllint diagnose --output-format json",
        "$defs": {
            "position": _POSITION,
            "edit": _edit(),
            "fix": _fix(),
            "related": _related(),
            "evidence": _evidence(),
            "remedy": _remedy(),
            "finding": _object(observed),
        },
    }


def coverage_schema() -> dict[str, Any]:
    """The schema of ``--coverage-file``: what was followed, in all files together and in each."""
    figures = _figures()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What dllint check has followed (--coverage-file)",
        **_object(
            {
                **figures,
                "environments": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "The Python environments whose installed packages were looked at.",
                },
                "files": {"type": "array", "items": {"$ref": "#/$defs/file"}},
            }
        ),
        "$defs": {"file": _object({"filename": {"type": "string"}, **figures})},
    }


def _figures() -> dict[str, Any]:
    count = {"type": "integer", "minimum": 0}
    return {
        "models": {**count, "description": "Classes that define the step of a model."},
        "followed_models": {**count, "description": "Those whose operations were followed."},
        "operations": {**count, "description": "Places of tensor operations in the source; those not reached included."},
        "known_shapes": {**count, "description": "Those whose result has a known shape."},
        "share": {"type": ["number", "null"], "description": "Of known shapes; null without tensor operations."},
        "unknown_frameworks": {
            "type": "object",
            "additionalProperties": count,
            "description": "Files by the framework that they import and dllint does not know.",
        },
        "cut_short": {**count, "description": "Analyses that the budget of steps has ended."},
        "skipped": {**count, "description": "Files that were left out."},
        "failed": {**count, "description": "Files in which an error of dllint ended an analysis."},
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
            "message": {"type": "string", "description": "The fact in one short sentence, with the actual shapes."},
            "advice": {"type": ["string", "null"], "description": "What to change."},
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
            "releases": {
                "type": ["object", "null"],
                "properties": {
                    "library": {"type": "string"},
                    "since": {"type": "string", "description": "The first release that the finding is about."},
                    "decided_by": {"type": ["string", "null"], "description": "Who knows that the code is for it."},
                },
                "description": "The releases that the finding is about; null if it holds for all.",
            },
            "noqa_row": {"type": "integer", "minimum": 1, "description": "The row on which a suppression comment works."},
            "url": {"type": ["string", "null"]},
            "cell": _cell(),
            "node": _node(),
        }
    )


def _observed() -> dict[str, Any]:
    """The keys that only findings of a run have."""
    return {
        "symptom": {"type": "string", "description": "The name of the symptom: `dead node`, `exploding`."},
        "layer": {"type": ["string", "null"], "description": "The layer that shows it, by its path in the model."},
        "step": {"type": ["integer", "null"], "description": "The optimizer step at which it was certain."},
        "evidence": {"type": "object", "additionalProperties": {"$ref": "#/$defs/evidence"}},
        "fixes": {
            "type": "array",
            "items": {"$ref": "#/$defs/remedy"},
            "description": "All repairs: the recommended ones first, those that were tried and did not help last.",
        },
    }


def _evidence() -> dict[str, Any]:
    return {
        "description": "Numbers that are not finite are the strings `nan`, `inf` and `-inf`.",
        "anyOf": [
            {"type": ["number", "string", "boolean", "null"]},
            {"type": "array", "items": {"$ref": "#/$defs/evidence"}},
        ],
    }


def _remedy() -> dict[str, Any]:
    measured = {"type": ["number", "string", "null"], "description": "More is better."}
    return _object(
        {
            "kind": {"type": "string", "description": "The family of the repair: `learning-rate`, `clipping`."},
            **_fix()["properties"],
            "tested": {"type": "boolean", "description": "Whether the program was run with it."},
            "removed_symptom": {"type": ["boolean", "null"]},
            "measure": {"type": ["string", "null"], "description": "What `before` and `after` are: `accuracy`."},
            "before": measured,
            "after": measured,
            "seeds": {"type": "integer", "minimum": 0, "description": "How many seeds it was tried with."},
            "instead": {"type": ["string", "null"], "description": "The symptom that came in the place of the one removed."},
            "recommended": {"type": "boolean", "description": "The symptom is gone, and no less is learnt."},
        }
    )
