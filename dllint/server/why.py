"""The page that shows what a finding rests on: its places, how it comes about, and what is known of the operations there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from dllint.engine.analysis import Analysis
from dllint.engine.cells import Cells
from dllint.engine.evidence import operations
from dllint.engine.registry import summary
from dllint.finding import Finding, Related
from dllint.ir.program import Site
from dllint.page.document import document, section
from dllint.page.excerpt import Marked, excerpt
from dllint.page.markup import Markup, element
from dllint.source.lines import split_lines
from dllint.source.notebook import Notebook
from dllint.source.regular import read_regular
from dllint.span import Location, Span

_MOST_PLACES: Final = 12
_MOST_OPERATIONS: Final = 20


@dataclass(frozen=True, slots=True)
class View:
    """How places are shown: ``locate`` gives a place of the analysis in terms of what the user sees, ``text`` the text of a
    file or of a cell."""

    locate: Callable[[Location], Location]
    text: Callable[[Path, int | None], str]

    @classmethod
    def of_notebook(cls, path: Path, notebook: Notebook) -> View:
        """Places in the cells of a notebook."""

        def text(file: Path, cell: int | None) -> str:
            return notebook.source(cell) if file == path and cell is not None else _on_disk(file)

        return cls(Cells(path, notebook).location, text)


def why_page(analysis: Analysis, finding: Finding, view: View) -> str:
    """The page about a finding of an analysis."""
    heading = f"{finding.code}: {finding.message}"
    kind = f"{finding.name}, {finding.severity.value}, {finding.confidence.value} confidence"
    return document(
        heading,
        element("h1", heading),
        element("p", finding.advice),
        element("p", kind, class_="soft"),
        section("Where", _place(finding.location, "", view)),
        section("How it comes about", *_places((*finding.flow, *finding.related), view)),
        section("What is known of the operations there", *_known(analysis, finding, view), note=_NOTE),
        section("The rule", element("p", summary(finding.code))),
    )


_NOTE: Final = "Operands, results and ranges, in each way in which the code is reached."


def _places(places: Iterable[Related], view: View) -> Iterator[Markup]:
    unique = {(place.location, place.message): place for place in places}
    for place in islice(unique.values(), _MOST_PLACES):
        yield _place(place.location, place.message, view)


def _place(location: Location, message: str, view: View) -> Markup:
    """A place with the lines around it."""
    shown = view.locate(location)
    first, last = shown.span.first, shown.span.last
    lines = [line.rstrip("\r\n") for line in split_lines(view.text(shown.path, shown.cell))]
    title = element("h3", f"{_cited(shown)}{f': {message}' if message else ''}")
    if shown.listed or not 0 < first.line <= len(lines):
        return title
    return element("div", title, excerpt(lines, Marked(first.line, first.column, last.line, last.column)))


def _cited(location: Location) -> str:
    cell = f"cell {location.cell}:" if location.cell is not None else ""
    return f"{location.path.name}:{cell}{location.span.first.line}"


def _known(analysis: Analysis, finding: Finding, view: View) -> Iterator[Markup]:
    """What is known of the operations on the lines of the finding and of the places that explain it."""
    home = analysis.home
    places = (finding.location, *(place.location for place in (*finding.flow, *finding.related)))
    spans = [place.span for place in places if place.path == home.path]

    def wanted(span: Span) -> bool:
        return any(span.first.line <= place.last.line and place.first.line <= span.last.line for place in spans)

    def cited(site: Site) -> str:
        if site.statement is None:
            return site.document.path.name
        return _cited(view.locate(site.document.location(site.statement, site.node)))

    for text in islice(operations(analysis.programs, home, wanted, cited), _MOST_OPERATIONS):
        yield element("pre", text, class_="source")


def _on_disk(path: Path) -> str:
    try:
        return read_regular(path).decode("utf-8", "replace")
    except OSError:
        return ""
