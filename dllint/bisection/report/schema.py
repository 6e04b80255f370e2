"""The JSON Schema of ``dllint bisect --output-format json``; published as ``docs/schema/bisection.schema.json``."""

from __future__ import annotations

from typing import Any

from dllint.bisection.result import Verdict


def bisection_schema() -> dict[str, Any]:
    """The schema of the whole output: one object."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Result of dllint bisect --output-format json",
        **_object(
            {
                "verdict": {"enum": [verdict.value for verdict in Verdict]},
                "reference_metric": _formatted("number", "In the user's own units and direction."),
                "candidate_metric": {"type": "number"},
                "drop": _formatted(
                    "number", "How much worse the candidate is; positive is worse, whichever way the metric points."
                ),
                "interval": _interval(),
                "confidence": _formatted("number", "Of the intervals of the drop and of the culprits' drops."),
                "samples": {"type": "integer", "minimum": 0},
                "smallest_visible_drop": _formatted(
                    "number", "The drop that a search over so many samples finds in 80 % of cases."
                ),
                "evaluations": _formatted("integer", "How many different cuts the metric was evaluated for."),
                "linear_sweep": _formatted("integer", "How many there are."),
                "cuts": _array(
                    _object({"steps": _formatted("integer", "So many are deployed."), "metric": {"type": "number"}})
                ),
                "culprits": _array(_culprit()),
                "acquitted": _array(_acquitted()),
                "shares": _array(_share()),
                "probable": _array(_probable()),
                "samples_needed": _formatted(
                    ["integer", "null"], "So many samples would show a drop like the one seen; null where one is placed."
                ),
                "harmless": _array({"type": "string"}),
                "notes": _array({"type": "string"}),
            }
        ),
    }


def _culprit() -> dict[str, Any]:
    position = _object({name: {"type": "integer", "minimum": 1} for name in ("row", "column")})
    return _object(
        {
            "operator": _formatted("string", "The node of the reference whose value shows it; `preprocess` or `postprocess`."),
            "kind": _formatted("string", "What the operator is: `softmax`, `conv2d`."),
            "reference_nodes": _array({"type": "string"}),
            "module": _formatted("string", "The path of the module; empty outside of modules."),
            "levels": _object({name: {"type": "string"} for name in ("block", "layer", "operator")}),
            "filename": {"type": ["string", "null"]},
            "location": {"anyOf": [{**position, "description": "1-based."}, {"type": "null"}]},
            "drop": {"type": "number"},
            "interval": _interval(),
            "share": _formatted("number", "Of the whole drop."),
            "sufficient": _formatted(["boolean", "null"], "Alone in the reference it lowers the metric; null if not tested."),
            "necessary": _formatted(["boolean", "null"], "With it repaired the candidate recovers; null if not tested."),
            "suspected": _formatted("string", "What may be wrong, in a few words; empty if nothing is suspected."),
        }
    )


def _share() -> dict[str, Any]:
    return _object(
        {
            "operators": _array({"type": "string"}),
            "drop": {"type": "number"},
            "interval": _interval(),
            "share": _formatted("number", "Of the whole drop; given where no single operator explains it."),
        }
    )


def _probable() -> dict[str, Any]:
    operator = _formatted("string", "May be at fault; the drop is what it costs alone in the reference.")
    return _object({"operator": operator, "drop": {"type": "number"}, "interval": _interval()})


def _acquitted() -> dict[str, Any]:
    names = {name: {"type": "string"} for name in ("operator", "undone_by")}
    return _object({**names, "drop": {"type": "number"}, "recovered": {"type": "number"}})


def _interval() -> dict[str, Any]:
    return {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2, "description": "Of the drop."}


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _formatted(kind: str | list[str], description: str) -> dict[str, Any]:
    return {"type": kind, "description": description}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
