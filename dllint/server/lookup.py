"""Hovers and inlay hints, answered from what the last good analysis knew."""

from __future__ import annotations

from lsprotocol import types as lsp

from dllint.server.files import Places
from dllint.server.messages import Place
from dllint.server.text import Text, same_place


def hover(known: Places | None, text: Text, position: lsp.Position, markdown: bool) -> lsp.Hover | None:
    """What is known at a position of a text; ``known`` may be about an older text, then only what was not edited is told."""
    if known is None:
        return None
    offset = text.offset(position)
    old = same_place(known.text.content, text.content, offset)
    place = _innermost(known, old) if old is not None else None
    if place is None or old is None:
        return None
    kind = lsp.MarkupKind.Markdown if markdown else lsp.MarkupKind.PlainText
    value = place.text if markdown else _plain(place.text)
    shift = offset - old
    return lsp.Hover(lsp.MarkupContent(kind, value), range=text.range(place.start + shift, place.end + shift))


def inlay_hints(known: Places | None, text: Text, range_: lsp.Range, parameters: bool = True) -> list[lsp.InlayHint]:
    """The shapes of the names assigned to in a range, and of ``parameters`` of functions there."""
    first, last = text.offset(range_.start), text.offset(range_.end)
    hints: list[lsp.InlayHint] = []
    wanted = (place for place in known.places if parameters or not place.is_parameter) if known is not None else ()
    for place in wanted:
        at = same_place(text.content, known.text.content, place.end) if place.hint and known is not None else None
        if at is not None and first <= at <= last:
            tip = lsp.MarkupContent(lsp.MarkupKind.Markdown, place.text)
            hints.append(lsp.InlayHint(text.position(at), place.hint, lsp.InlayHintKind.Type, tooltip=tip))
    return hints


def _innermost(known: Places, offset: int) -> Place | None:
    around = [place for place in known.places if place.start <= offset < place.end]
    return min(around, key=lambda place: place.end - place.start, default=None)


def _plain(markdown: str) -> str:
    return "\n".join(line for line in markdown.splitlines() if not line.startswith("```"))
