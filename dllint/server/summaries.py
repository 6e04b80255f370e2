"""The summary of a model of an analysed file, as an editor shows it: a table whose rows lead to their lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from dllint.analysis.architecture.marking import Mark, marked, marks_of
from dllint.analysis.architecture.outline import Places
from dllint.analysis.architecture.rows import HEAD, TEXTS, Row, Table, activations_text, gaps, totals, wrongs
from dllint.engine.analysis import Analysis
from dllint.page.document import section
from dllint.page.markup import Markup, element, joined
from dllint.page.treegrid import Entry, treegrid
from dllint.server.drawing import asked_for
from dllint.server.messages import Summarise, Summarised
from dllint.source.neutral import neutral_lines

_COLUMNS: Final = (*HEAD, "Activations")
#: Levels of modules, and rows, at most.
_DEEPEST: Final = 12
_MOST_ROWS: Final = 2_000
#: Levels that are open at first: as many as these rows allow, and not more than these levels.
_MOST_OPEN_ROWS: Final = 60
_MOST_OPEN_LEVELS: Final = 3


def summarised(analysis: Analysis, question: Summarise, *, has_lines: bool) -> Summarised | str:
    """The summary that is asked for; empty if there is no such model."""
    found = asked_for(analysis, question.asked)
    if found is None:
        return ""
    model, tree, asked = found
    places = Places(analysis.home)
    shown = Table(_DEEPEST, marks=marks_of(model, tree, places, marked(analysis.findings, analysis.home.path)))
    rows = list(islice(shown.rows(tree), _MOST_ROWS + 1))
    title = _plain(tree.kind)
    parts = (
        treegrid(f"Layers of {title}", _COLUMNS, TEXTS, list(_entries(rows[:_MOST_ROWS], places if has_lines else None))),
        *([element("p", f"Only the first {_MOST_ROWS} rows are shown.")] if len(rows) > _MOST_ROWS else ()),
        section("Totals", _totals(totals(tree))),
        section("Runs only if", _listed(model.preconditions)),
        section("Wrong", _listed(wrongs(tree, shown.marks))),
        section("Not followed", _listed(gaps(tree))),
    )
    return Summarised(joined(parts), title, asked)


def _entries(rows: Sequence[Row], places: Places | None) -> Iterator[Entry]:
    depth = _open_levels(rows)
    for number, row in enumerate(rows):
        inside = list(_inside(rows, number))
        extent = places.of(row.module.instance.site) if places is not None else None
        cells = (*row.cells, activations_text(row.module))
        yield Entry(
            row.module.path,
            row.level,
            tuple(map(_plain, cells)),
            _said(cells, row.marks, inside),
            row.codes,
            _codes(inside),
            places.document.position(extent.start).line if places is not None and extent is not None else None,
            row.level < depth if inside else None,
        )


def _inside(rows: Sequence[Row], number: int) -> Iterator[Row]:
    """The rows below one."""
    for row in islice(rows, number + 1, None):
        if row.level <= rows[number].level:
            return
        yield row


def _open_levels(rows: Sequence[Row]) -> int:
    """How many levels can be open so that the table stays readable."""
    for depth in range(2, _MOST_OPEN_LEVELS + 1):
        if sum(row.level <= depth for row in rows) > _MOST_OPEN_ROWS:
            return depth - 1
    return _MOST_OPEN_LEVELS


def _said(cells: Sequence[str], marks: Sequence[Mark], inside: Sequence[Row]) -> str:
    """A row in words."""
    told = (f"{name} {cell}" for name, cell in zip(_COLUMNS[1:], cells[1:], strict=True) if cell)
    wrong = (f"wrong: {mark.text}" for mark in marks)
    return _plain("; ".join(filter(None, [cells[0], *told, *wrong, _codes(inside)])))


def _codes(inside: Iterable[Row]) -> str:
    """What is wrong in rows below one."""
    codes = ", ".join(dict.fromkeys(mark.code for row in inside for mark in row.marks))
    return f"inside: {codes}" if codes else ""


def _totals(lines: Iterable[tuple[str, str]]) -> Markup:
    return element("table", *(element("tr", element("th", name, scope="row"), element("td", value)) for name, value in lines))


def _listed(lines: Iterable[str]) -> Markup:
    found = [element("li", _plain(line)) for line in lines]
    return element("ul", *found) if found else Markup("")


def _plain(text: str) -> str:
    """A text on one line, without characters that control anything."""
    return " ".join(neutral_lines(text).split())
