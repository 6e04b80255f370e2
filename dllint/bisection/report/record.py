"""The result as one JSON object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dllint.bisection.graph import Graph, Node, Place
from dllint.bisection.result import Bisection, Culprit
from dllint.bisection.steps import Step


def record(found: Bisection, graph: Graph) -> dict[str, Any]:
    """``verdict``, metrics in the user's units, ``evaluations``, ``cuts`` and ``culprits``; rows and columns are 1-based."""
    return {
        "verdict": found.verdict.value,
        "reference_metric": found.reference_metric,
        "candidate_metric": found.candidate_metric,
        "drop": -found.contrast.difference,
        "interval": [-found.contrast.high, -found.contrast.low],
        "confidence": found.contrast.level,
        "samples": found.contrast.samples,
        "smallest_visible_drop": found.smallest_visible_drop,
        "evaluations": found.evaluations,
        "linear_sweep": found.linear_sweep,
        "cuts": [{"steps": cut.steps, "metric": cut.value} for cut in found.cuts],
        "culprits": [_culprit(culprit, graph) for culprit in found.culprits],
        "acquitted": [
            {"operator": a.step.name, "drop": -a.drop, "undone_by": a.undone_by.name, "recovered": a.recovered}
            for a in found.acquitted
        ],
        "shares": [
            {
                "operators": [step.name for step in share.steps],
                "drop": -share.contrast.difference,
                "interval": [-share.contrast.high, -share.contrast.low],
                "share": share.share,
            }
            for share in found.shares
        ],
        "probable": [
            {
                "operator": each.step.name,
                "drop": -each.contrast.difference,
                "interval": [-each.contrast.high, -each.contrast.low],
            }
            for each in found.probable
        ],
        "samples_needed": found.samples_needed,
        "harmless": [step.name for step in found.harmless],
        "notes": found.notes,
    }


def _culprit(culprit: Culprit, graph: Graph) -> dict[str, Any]:
    nodes = nodes_of(culprit.steps, graph)
    last = nodes[-1] if nodes else None
    return {
        "operator": culprit.steps[-1].name,
        "kind": graph.maker(last.name).kind if last else culprit.steps[-1].name,
        "reference_nodes": [node.name for node in nodes],
        "module": culprit.steps[-1].module,
        "levels": culprit.levels,
        **_place(last.place if last else None),
        "drop": -culprit.contrast.difference,
        "interval": [-culprit.contrast.high, -culprit.contrast.low],
        "share": culprit.share,
        "sufficient": culprit.sufficient,
        "necessary": culprit.necessary,
        "suspected": culprit.suspected,
    }


def nodes_of(steps: Sequence[Step], graph: Graph) -> list[Node]:
    """The reference's nodes of some steps; those of fused operators included, the operator's own last."""
    return [graph[name] for step in steps for name in (*step.covers, *step.nodes) if name in graph]


def _place(place: Place | None) -> dict[str, Any]:
    if place is None:
        return {"filename": None, "location": None}
    return {"filename": str(place.path), "location": {"row": place.line, "column": place.column}}
