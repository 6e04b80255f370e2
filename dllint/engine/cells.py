"""Findings in a notebook's module, given in terms of its cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dllint.edit import Edit, Fix
from dllint.engine.analysis import Analysis
from dllint.engine.gate import Analyse
from dllint.engine.results import SYNTAX_ERROR, problem
from dllint.finding import Finding, Related
from dllint.source.document import Document
from dllint.source.lines import Lines
from dllint.source.notebook import Notebook, cell_range
from dllint.span import Location


class Cells:
    """The way from the module of the notebook at ``path`` to its cells."""

    def __init__(self, path: Path, notebook: Notebook) -> None:
        self._path = path
        self._notebook = notebook

    def broken(self) -> Iterator[Finding]:
        """The cells that do not parse."""
        for number, broken in self._notebook.problems.items():
            finding = problem(SYNTAX_ERROR, self._path, broken.line, broken.column, broken.message)
            yield replace(finding, location=replace(finding.location, cell=number))

    def finding(self, finding: Finding) -> Finding:
        """A finding about the module, with its places and edits in cells."""
        related, flow = self._places(finding.related), self._places(finding.flow)
        fixes = tuple(map(self._fix, finding.fixes))
        return replace(finding, location=self.location(finding.location), related=related, fixes=fixes, flow=flow)

    def _places(self, places: tuple[Related, ...]) -> tuple[Related, ...]:
        return tuple(replace(place, location=self.location(place.location)) for place in places)

    def location(self, location: Location) -> Location:
        """A place of the module, given in terms of its cell; places elsewhere are as they were."""
        if location.path != self._path or not self._notebook.cells:
            return location
        cell, start = self._notebook.place(location.span.start)
        last_cell, end = self._notebook.place(location.span.end)
        text = self._notebook.source(cell)
        return Location(self._path, Lines(text).span(start, end if last_cell == cell else len(text)), cell)

    def _fix(self, fix: Fix) -> Fix:
        return replace(fix, edits=tuple(map(self.edit, fix.edits)))

    def edit(self, edit: Edit) -> Edit:
        """An edit of the module, given in terms of the cell where it begins; edits elsewhere are as they were."""
        if edit.path != self._path:
            return edit
        cell, start = self._notebook.place(edit.start)
        last_cell, end = self._notebook.place(edit.end)
        text = self._notebook.source(cell)
        end = end if last_cell == cell else len(text)
        content = edit.content
        if start == end == len(text) and text and not text.endswith("\n") and content.endswith("\n"):
            content = "\n" + content.removesuffix("\n")  # a line after the cell's last one, which has no break
        return Edit(self._path, start, max(start, end), content, cell)


def fixing_cell(analyse: Analyse, number: int) -> Analyse:
    """What analyses the module of a notebook as ``analyse`` does and leaves only the fixes that change nothing but one cell."""

    def limited(document: Document) -> Analysis:
        analysis = analyse(document)
        around = cell_range(document.text, number)

        def lies_inside(fix: Fix) -> bool:
            own = all(edit.path == document.path for edit in fix.edits)
            return own and around is not None and all(around[0] <= e.start and e.end <= around[1] for e in fix.edits)

        def kept(finding: Finding) -> Finding:
            return replace(finding, fixes=tuple(filter(lies_inside, finding.fixes)))

        raws = [replace(raw, finding=kept(raw.finding)) for raw in analysis.raws]
        return replace(analysis, raws=raws, comments=tuple(map(kept, analysis.comments)))

    return limited
