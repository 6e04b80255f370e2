"""The result as one HTML page that needs nothing else: no network, no scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

from dllint.bisection.graph import Graph, Place
from dllint.bisection.report.drawing import graph_drawing
from dllint.bisection.report.plot import profile_plot
from dllint.bisection.report.record import nodes_of
from dllint.bisection.report.terminal import sentence
from dllint.bisection.result import Bisection, Culprit
from dllint.bisection.steps import Step

#: Lines of source shown on either side.
_AROUND: Final = 3
_STYLE: Final = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:960px;padding:0 1rem;color:#1b1f24;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d8dee4;vertical-align:top}
pre{background:#f6f8fa;padding:.6rem;overflow:auto;font-size:13px}pre mark{background:#ffd8d3;display:block}
svg{max-width:100%;height:auto;font:12px system-ui,sans-serif}.scroll{overflow:auto;max-height:640px}svg.graph{max-width:none}
.axis{stroke:#d8dee4}.profile{fill:none;stroke:#0969da;stroke-width:2}circle{fill:#0969da}.culprit{fill:#cf222e;opacity:.18}
.edge{stroke:#8c959f}.plain rect{fill:#f6f8fa;stroke:#8c959f}.harmless rect{fill:#fff8c5;stroke:#9a6700}
.guilty rect{fill:#ffd8d3;stroke:#cf222e;stroke-width:2}
"""


def page(found: Bisection, graph: Graph, steps: Sequence[Step]) -> str:
    """The whole page."""
    parts = [_head(found), *_culprits(found.culprits, graph), *_drawings(found, graph, steps), *_lists(found)]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>dllint bisect</title>'
        f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _head(found: Bisection) -> str:
    contrast = found.contrast
    rows = {
        "reference": f"{found.reference_metric:.6g}",
        "candidate": f"{found.candidate_metric:.6g}",
        "drop": f"{-contrast.difference:.4g} ({contrast.level:.0%} interval {-contrast.high:.4g} to {-contrast.low:.4g})",
        "smallest visible drop": f"{found.smallest_visible_drop:.4g}",
        "samples": str(contrast.samples),
        "evaluations": f"{found.evaluations} (one after the other: {found.linear_sweep})",
    }
    table = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
    return f"<h1>{escape(sentence(found))}</h1><table>{table}</table>"


def _culprits(culprits: Sequence[Culprit], graph: Graph) -> Iterator[str]:
    for culprit in culprits:
        nodes = nodes_of(culprit.steps, graph)
        low, high = -culprit.contrast.high, -culprit.contrast.low
        yield f"<h2>{escape(' … '.join(dict.fromkeys((culprit.steps[0].name, culprit.steps[-1].name))))}</h2><table>"
        told = {
            "module": culprit.steps[-1].module,
            "costs": f"{-culprit.contrast.difference:.4g} ({low:.4g} to {high:.4g}), {culprit.share:.0%} of the drop",
            "suspected": culprit.suspected,
            "alone in the reference": _tested(culprit.sufficient, "makes the metric fall", "does not make the metric fall"),
            "repaired in the candidate": _tested(culprit.necessary, "the metric recovers", "the metric does not recover"),
        }
        yield "".join(f"<tr><th>{name}</th><td>{escape(text)}</td></tr>" for name, text in told.items() if text)
        yield "</table>"
        if nodes and nodes[-1].place is not None:
            yield _source(nodes[-1].place)


def _tested(outcome: bool | None, yes: str, no: str) -> str:
    return "not tested" if outcome is None else yes if outcome else no


def _source(place: Place) -> str:
    shown = [f"{number:5}  {escape(text)}" for number, text in _lines(place)]
    first = max(1, place.line - _AROUND)
    marked = [f"<mark>{text}</mark>" if first + i == place.line else f"{text}\n" for i, text in enumerate(shown)]
    return f"<p>{escape(str(place.path))}:{place.line}</p><pre>{''.join(marked)}</pre>"


def _lines(place: Place) -> list[tuple[int, str]]:
    try:
        lines = Path(place.path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    first = max(0, place.line - 1 - _AROUND)
    return list(enumerate(lines[first : place.line + _AROUND], first + 1))


def _drawings(found: Bisection, graph: Graph, steps: Sequence[Step]) -> Iterator[str]:
    plot = profile_plot(found, steps)
    if plot:
        yield f"<h2>The metric as operators are deployed one by one</h2>{plot}"
    if found.culprits:
        yield f'<h2>Where they stand</h2><div class="scroll">{graph_drawing(found, graph)}</div>'


def _lists(found: Bisection) -> Iterator[str]:
    if found.acquitted:
        rows = (f"{a.step.name}, undone by {a.undone_by.name} (another representation)" for a in found.acquitted)
        yield f"<h2>Not at fault</h2>{_items(rows)}"
    if found.harmless:
        yield f"<h2>Different but harmless</h2>{_items(step.name for step in found.harmless)}"
    if found.notes:
        yield f"<h2>Notes</h2>{_items(found.notes)}"


def _items(texts: Iterator[str] | Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"
