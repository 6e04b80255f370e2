"""The tool ``shape_at``: what hovers in an editor show, for a line of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dllint.cli.opening import Opened, open_analysed
from dllint.mcp.answers import Known, PlaceAnswer
from dllint.mcp.questions import Around, ShapeAt
from dllint.mcp.roots import RefusedError
from dllint.server.attempts import Attempts
from dllint.server.messages import Place
from dllint.server.pages import Pages
from dllint.server.places import known_places
from dllint.source.lines import Lines

_MOST: Final = 12
_FENCE: Final = re.compile(r"^(?:```|~~~)\w*\n?", re.MULTILINE)


def shape_at(asked: ShapeAt, around: Around) -> PlaceAnswer:
    """What is known at a place, the smallest expressions first if a column is given, else in the order of the line.

    Raises:
        RefusedError: there is no such line.
    """
    opened = open_analysed(asked.path, around.python)
    document = opened.analysis.document
    line = asked.line if asked.cell is None else _line_in_cell(opened, asked)
    if not 1 <= line <= len(document.lines.starts):
        raise RefusedError(f"{around.roots.shown(asked.path)} has {len(document.lines.starts)} lines")
    places = known_places(opened.analysis, Pages(), lambda: None, Attempts(lambda _: None))
    found = list(_found(places, document.text, line, asked))
    shown = [Known(_cited(opened, place, asked, around), source, _plain(place.text)) for place, source in found[:_MOST]]
    return PlaceAnswer(shown, len(found) - len(shown))


def _line_in_cell(opened: Opened, asked: ShapeAt) -> int:
    found = opened.notebook.line_of(asked.cell, asked.line) if opened.notebook is not None and asked.cell else None
    if found is None:
        raise RefusedError(f"{opened.path.name} has no line {asked.line} in a Python cell {asked.cell}")
    return found


def _found(places: tuple[Place, ...], text: str, line: int, asked: ShapeAt) -> Iterator[tuple[Place, str]]:
    lines = Lines(text)
    start = lines.starts[line - 1]
    end = lines.starts[line] if line < len(lines.starts) else len(text) + 1
    if asked.column is not None:
        at = start + asked.column - 1
        around = sorted((p for p in places if p.start <= at < p.end), key=lambda place: place.end - place.start)
        candidates = iter(around)
    else:
        candidates = (place for place in places if start <= place.start < end)
    for place in candidates:
        source = " ".join(text[place.start : place.end].split())
        if not asked.name or source == asked.name:
            yield place, source


def _cited(opened: Opened, place: Place, asked: ShapeAt, around: Around) -> str:
    cell, text, offset = None, opened.analysis.document.text, place.start
    if opened.notebook is not None:
        cell, offset = opened.notebook.place(place.start)
        text = opened.notebook.source(cell)
    first = Lines(text).position(offset)
    inside = f"cell {cell}:" if cell is not None else ""
    return f"{around.roots.shown(asked.path)}:{inside}{first.line}:{first.column}"


def _plain(markdown: str) -> str:
    """The text of a hover without the marks of Markdown."""
    return _FENCE.sub("", markdown).strip()
