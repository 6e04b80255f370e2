"""The result as one HTML page that needs nothing else: no network, no scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from dllint.bisection.graph import Graph, Place
from dllint.bisection.report.drawing import graph_drawing
from dllint.bisection.report.plot import profile_plot
from dllint.bisection.report.record import nodes_of
from dllint.bisection.report.terminal import probable_lines, sentence
from dllint.bisection.result import Bisection, Culprit
from dllint.bisection.steps import Step
from dllint.page.document import document, section, table
from dllint.page.excerpt import Marked, excerpt
from dllint.page.markup import Markup, element


def page(found: Bisection, graph: Graph, steps: Sequence[Step]) -> str:
    """The whole page."""
    return document(
        "dllint bisect",
        _head(found),
        *(_culprit(culprit, graph) for culprit in found.culprits),
        section("The metric as operators are deployed one by one", profile_plot(found, steps)),
        section("Where they stand", *_graph(found, graph)),
        section(
            "Not at fault",
            _items(f"{a.step.name}, undone by {a.undone_by.name} (another representation)" for a in found.acquitted),
        ),
        section("What may be at fault", _items(line.strip() for line in probable_lines(found))),
        section("Different but harmless", _items(step.name for step in found.harmless)),
        section("Notes", _items(found.notes)),
    )


def _head(found: Bisection) -> Markup:
    contrast = found.contrast
    rows = {
        "reference": f"{found.reference_metric:.6g}",
        "candidate": f"{found.candidate_metric:.6g}",
        "drop": f"{-contrast.difference:.4g} ({contrast.level:.0%} interval {-contrast.high:.4g} to {-contrast.low:.4g})",
        "smallest visible drop": f"{found.smallest_visible_drop:.4g}",
        "samples": str(contrast.samples),
        "evaluations": f"{found.evaluations} (one after the other: {found.linear_sweep})",
    }
    fine = "healthy" if found.verdict.fine else "fault"
    verdict = element("h1", sentence(found), class_=f"verdict {fine}")
    return element("header", element("p", "dllint bisect", class_="soft"), verdict, _pairs(rows))


def _culprit(culprit: Culprit, graph: Graph) -> Markup:
    nodes = nodes_of(culprit.steps, graph)
    low, high = -culprit.contrast.high, -culprit.contrast.low
    figures = {
        "module": culprit.steps[-1].module,
        "costs": f"{-culprit.contrast.difference:.4g} ({low:.4g} to {high:.4g}), {culprit.share:.0%} of the drop",
        "suspected": culprit.suspected,
        "alone in the reference": _tested(culprit.sufficient, "makes the metric fall", "does not make the metric fall"),
        "repaired in the candidate": _tested(culprit.necessary, "the metric recovers", "the metric does not recover"),
    }
    place = nodes[-1].place if nodes else None
    name = " … ".join(dict.fromkeys((culprit.steps[0].name, culprit.steps[-1].name)))
    return section(name, _pairs(figures), *(_source(place) if place is not None else ()))


def _tested(outcome: bool | None, yes: str, no: str) -> str:
    return "not tested" if outcome is None else yes if outcome else no


def _pairs(texts: Mapping[str, str]) -> Markup:
    return table((), [(element("b", name), text) for name, text in texts.items() if text], "pairs")


def _source(place: Place) -> Iterator[Markup]:
    yield element("p", element("code", f"{place.path}:{place.line}"), class_="soft")
    try:
        lines = Path(place.path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    if lines:
        yield excerpt(lines, Marked(place.line))


def _graph(found: Bisection, graph: Graph) -> Iterator[Markup]:
    if found.culprits:
        yield element("div", graph_drawing(found, graph), class_="scroll")


def _items(texts: Iterable[str]) -> Markup:
    items = [element("li", text) for text in texts]
    return element("ul", *items) if items else Markup("")
