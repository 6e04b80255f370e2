"""Notebooks in the analysis process: one module for the analyst, cells for the editor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from dllint.analysis.architecture.outlines_of_cells import in_cells
from dllint.edit import Edit, Fix, apply_edits
from dllint.engine.cells import Cells as InCells
from dllint.engine.python2 import tell_once
from dllint.engine.results import FileResult
from dllint.engine.unsupported import as_information
from dllint.server.analyst import Analyst
from dllint.server.attempts import Attempts
from dllint.server.drawing import drawn
from dllint.server.messages import Buffer, Cells, Checked, Draw, Drawn, Fixed, Known, Place, Proved, Summarise, Summarised
from dllint.server.summaries import summarised
from dllint.server.why import View
from dllint.source.notebook import LostCellsError, Notebook

Follow = Callable[[], Known]


@dataclass(slots=True)
class CellAnalyst:
    """Answers questions about open files as the analyst does, and those about notebooks in terms of their cells."""

    analyst: Analyst
    attempts: Attempts
    #: What the editor has sent of notebooks and nobody has asked about yet.
    _news: dict[Path, Cells] = field(default_factory=dict)
    #: The open notebooks as they are, and as they were when they were checked.
    _open: dict[Path, Notebook] = field(default_factory=dict)
    _checked: dict[Path, Notebook] = field(default_factory=dict)

    def buffer(self, buffer: Buffer) -> None:
        """Use an editor's text of a file."""
        self._drop(buffer.path)
        self.analyst.buffer(buffer)

    def cells(self, cells: Cells) -> None:
        """Use an editor's cells of a notebook."""
        self._news[cells.path] = cells

    def close(self, path: Path) -> None:
        """Use the file on disk again."""
        self._drop(path)
        self.analyst.close(path)

    def _drop(self, path: Path) -> None:
        for known in (self._news, self._open, self._checked):
            known.pop(path, None)

    def check(self, path: Path) -> tuple[Checked, Follow | None]:
        """See :meth:`Analyst.check`."""
        notebook = self._notebook(path)
        checked, follow = self.analyst.check(path)
        if notebook is None:
            return checked, follow
        self._checked[path] = notebook
        return self._told(checked, notebook), _following(follow, notebook) if follow is not None else None

    def prove(self, path: Path, version: int, numbers: Iterable[int]) -> Proved:
        """See :meth:`Analyst.prove`."""
        proved, notebook = self.analyst.prove(path, version, numbers), self._checked.get(path)
        if notebook is None:
            return proved
        fixes = {number: tuple(_fixes(fixes, path, notebook)) for number, fixes in proved.fixes.items()}
        comments = ((number, _edits([edit], path, notebook)) for number, edit in proved.comments.items())
        silent = {number: edits[0] for number, edits in comments if edits}
        return replace(proved, fixes=fixes, comments=silent, file_comments={})

    def fix_all(self, path: Path, version: int, cell: int | None) -> Fixed | None:
        """See :meth:`Analyst.fix_all`; with ``cell``, only fixes that change nothing but that cell are applied."""
        notebook = self._notebook(path)
        fixed = self.analyst.fix_all(path, version, cell)
        if notebook is None or fixed is None:
            return fixed
        try:
            return replace(fixed, cells=notebook.sources(fixed.text))
        except LostCellsError as error:
            self.attempts.notify(f"{path}: not fixed: {error}")
            return replace(fixed, text=notebook.text, cells=notebook.texts)

    def draw(self, question: Draw) -> Drawn | str:
        """The graph of a model; the boxes of a notebook's model bear no lines, which would be those of its module."""
        analysis = self.analyst.analysis_of(question.path)
        return drawn(analysis, question, has_lines=question.path not in self._checked) if analysis is not None else ""

    def summarise(self, question: Summarise) -> Summarised | str:
        """The summary of a model; the rows of a notebook's model bear no lines, either."""
        analysis = self.analyst.analysis_of(question.path)
        return summarised(analysis, question, has_lines=question.path not in self._checked) if analysis is not None else ""

    def why(self, path: Path, version: int, number: int) -> str:
        """See :meth:`Analyst.why`; places are shown in the cells as they were checked."""
        notebook = self._checked.get(path)
        if notebook is None:
            return self.analyst.why(path, version, number)
        return self.analyst.why(path, version, number, View.of_notebook(path, notebook))

    def _notebook(self, path: Path) -> Notebook | None:
        """The notebook of a path as the editor has it; ``None`` for what is no notebook."""
        news = self._news.get(path)
        if news is not None:
            notebook = Notebook(news.cells)
            self.analyst.buffer(Buffer(path, news.version, notebook.text), notebook)
            self._open[path] = notebook
            del self._news[path]
        return self._open.get(path)

    def _told(self, checked: Checked, notebook: Notebook) -> Checked:
        """The findings in a notebook's module in terms of its cells, and the cells that do not parse; findings keep their
        numbers."""
        path = checked.path
        cells = InCells(path, notebook)
        found = list(checked.findings)
        for number, finding in enumerate(found):
            with self.attempts.attempt(f"{path}: a finding of {finding.code} could not be told in terms of its cell"):
                found[number] = cells.finding(finding)
        problems = [] if self.analyst.skips(path) else list(cells.broken())
        broken = FileResult(path, problems, before=notebook.text, after=notebook.text)
        with self.attempts.attempt(f"{path}: the releases that the notebook is for could not be found out"):
            tell_once(broken, notebook, self.analyst.targets(path))
        findings = (*found, *map(as_information, broken.findings))
        return replace(checked, findings=findings, notices=(*checked.notices, *broken.notices))


def _following(follow: Follow, notebook: Notebook) -> Follow:
    """A way to what is known at the places of a notebook's cells."""

    def known() -> Known:
        told = follow()
        outlined = told.outlines.get(None)
        outlines = in_cells(outlined, notebook.place) if outlined is not None else None
        return Known.of(told.path, told.version, tuple(_places(told.places, notebook)), told.followed, outlines)

    return known


def _places(places: Iterable[Place], notebook: Notebook) -> Iterator[Place]:
    for known in places:
        cell, start = notebook.place(known.start)
        last_cell, end = notebook.place(known.end)
        if cell == last_cell:
            yield replace(known, start=start, end=end, cell=cell)


def _fixes(fixes: Iterable[Fix], path: Path, notebook: Notebook) -> Iterator[Fix]:
    for fix in fixes:
        edits = _edits(fix.edits, path, notebook)
        if edits:
            yield replace(fix, edits=edits)


def _edits(edits: Iterable[Edit], path: Path, notebook: Notebook) -> tuple[Edit, ...]:
    """Edits of a notebook's module as edits of its cells; none if it cannot be cut into its cells after them, or if they edit
    other files, too."""
    own = list(edits)
    if any(edit.path != path for edit in own):
        return ()
    try:
        texts = notebook.sources(apply_edits(notebook.text, own))
    except LostCellsError:
        return ()
    cells = InCells(path, notebook)
    fine = [cells.edit(edit) for edit in own]
    told: list[Edit] = []
    for number, after in texts.items():
        before = notebook.source(number)
        mine = [edit for edit in fine if edit.cell == number]
        if before != after:
            told += mine if apply_edits(before, mine) == after else [Edit(path, 0, len(before), after, number)]
    return tuple(told)
