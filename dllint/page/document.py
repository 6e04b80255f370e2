"""The frame of a page: one file that needs nothing else, in light and dark, on paper too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from dllint.page.markup import Markup, element, joined

#: Nothing is fetched and nothing is executed, whatever a page quotes.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def document(title: str, *content: str) -> str:
    """A whole HTML document."""
    head = joined(
        [
            Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
            Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
            Markup('<meta name="color-scheme" content="light dark">'),
            element("title", title),
            Markup(f"<style>{_style()}</style>"),
        ]
    )
    body = element("body", element("main", *content))
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>{body}</html>\n'


def section(title: str, *content: str, note: str = "", anchor: str | None = None) -> Markup:
    """A part of a page with its heading; nothing if it has no content."""
    if not any(content):
        return Markup("")
    heading = element("h2", title)
    return element("section", heading, *([element("p", note, class_="note")] if note else []), *content, id=anchor)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]], class_: str | None = None) -> Markup:
    """A table with one heading per column; nothing if there are no rows."""
    if not rows:
        return Markup("")
    names = element("thead", element("tr", *(element("th", name, scope="col") for name in head))) if head else Markup("")
    body = element("tbody", *(element("tr", *(element("td", cell) for cell in row)) for row in rows))
    return element("div", element("table", names, body, class_=class_), class_="wide")


@cache
def _style() -> str:
    """The style sheet without what only its readers need."""
    text = files("dllint.page").joinpath("style.css").read_text(encoding="utf-8")
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text))
