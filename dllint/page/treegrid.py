"""A table whose rows form a tree, as HTML: rows are opened, closed and reached by keys where a page answers them.

To those who do not see it, each row is named by what is said of it. Rows bear their key and line (``data-key``, ``data-line``)
for who makes them answer clicks; those below a closed row are hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dllint.page.markup import Markup, element

#: The style of these tables; colours are those of the variables, where a page sets them.
STYLE: Final = """\
.treegrid { border-collapse: collapse; white-space: nowrap; }
.treegrid th, .treegrid td { padding: 2px 12px 2px 4px; text-align: left; font-weight: normal; }
.treegrid thead th { font-weight: 600; position: sticky; top: 0; background: var(--dllint-page, #fff); }
.treegrid .number { text-align: right; font-variant-numeric: tabular-nums; }
.treegrid tbody tr { cursor: pointer; border-top: 1px solid var(--dllint-rule, #d8dee4); }
.treegrid tr:focus { outline: 2px solid var(--dllint-focus, #0969da); outline-offset: -2px; }
.treegrid .toggle { display: inline-block; width: 1.2em; }
.treegrid [aria-expanded="true"] .toggle::before { content: "▾"; }
.treegrid [aria-expanded="false"] .toggle::before { content: "▸"; }
.treegrid .wrong, .treegrid .inside { color: var(--dllint-wrong, #cf222e); font-weight: 600; margin-left: .8em; }
.treegrid [aria-expanded="true"] .inside { display: none; }
"""
_INDENT: Final = "\u2003"


@dataclass(frozen=True, slots=True)
class Entry:
    """A row: ``said`` is it in words, ``wrong`` what stands behind its name, ``inside`` what stands there, too, while it is
    closed. ``is_open`` is None of a row that has no others below it."""

    key: str
    level: int
    cells: tuple[str, ...]
    said: str
    wrong: str = ""
    inside: str = ""
    line: int | None = None
    is_open: bool | None = None


def treegrid(title: str, head: Sequence[str], texts: int, entries: Sequence[Entry]) -> Markup:
    """The table; ``head`` names its columns, of which those from ``texts`` on have numbers."""
    numbers = range(texts, len(head))
    names = (element("th", name, scope="col", class_="number" if at in numbers else None) for at, name in enumerate(head))
    return element(
        "table",
        element("thead", element("tr", *names)),
        element("tbody", *_rows(entries, numbers)),
        class_="treegrid",
        role="treegrid",
        aria_label=title,
    )


def _rows(entries: Sequence[Entry], numbers: range) -> Iterator[Markup]:
    closed: int | None = None
    for number, entry in enumerate(entries):
        if closed is not None and entry.level <= closed:
            closed = None
        yield _row(entry, numbers, is_first=not number, is_hidden=closed is not None)
        if closed is None and entry.is_open is False:
            closed = entry.level


def _row(entry: Entry, numbers: range, *, is_first: bool, is_hidden: bool) -> Markup:
    first, *others = entry.cells
    toggle = element("span", class_="toggle", data_toggle="" if entry.is_open is not None else None, aria_hidden="true")
    cells = (element("td", cell, class_="number" if at in numbers else None) for at, cell in enumerate(others, 1))
    wrong = (element("span", text, class_=name) for name, text in (("wrong", entry.wrong), ("inside", entry.inside)) if text)
    return element(
        "tr",
        element("th", _INDENT * entry.level, toggle, first, *wrong, scope="row"),
        *cells,
        role="row",
        aria_level=entry.level + 1,
        aria_expanded=None if entry.is_open is None else ("true" if entry.is_open else "false"),
        aria_label=entry.said,
        tabindex=0 if is_first else -1,
        data_key=entry.key,
        data_line=entry.line,
        hidden="" if is_hidden else None,
    )
