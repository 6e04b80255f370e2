"""What stands above models and training: their figures, and what can be done with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lsprotocol import types as lsp

from dllint.analysis.architecture.outlined import Extent, Outline
from dllint.server.client import Client
from dllint.server.settings import ClientSettings
from dllint.server.text import Text, same_place

#: The editor's own command that shows a graph.
SHOW_GRAPH: Final = "dllint.showGraph"
#: The editor's own command that shows a summary.
SHOW_SUMMARY: Final = "dllint.showSummary"
#: The editor's own command that diagnoses the file, and the server's.
_DIAGNOSE_FILE: Final = "dllint.diagnoseFile"
_DIAGNOSE: Final = "dllint.diagnose"


def lenses(
    old: Text, known: Outline, text: Text, uri: str, client: Client, settings: ClientSettings, *, runs: bool
) -> Iterator[lsp.CodeLens]:
    """The lenses of a text; ``known`` is about ``old``. ``runs``: whether the text can be run as it is, which a cell cannot."""
    for model in known.models:
        place = _line(old, text, model.selection)
        if place is None:
            continue
        if settings.lens_models and model.summary:
            yield lsp.CodeLens(place, lsp.Command(model.summary, ""))
        if settings.lens_graph and SHOW_GRAPH in client.commands:
            yield lsp.CodeLens(place, lsp.Command("Show graph", SHOW_GRAPH, arguments=[uri, model.asked]))
        if settings.lens_summary and SHOW_SUMMARY in client.commands:
            yield lsp.CodeLens(place, lsp.Command("Show summary", SHOW_SUMMARY, arguments=[uri, model.asked]))
    place = _line(old, text, known.training) if known.training is not None else None
    if settings.lens_diagnose and runs and place is not None:
        command = _DIAGNOSE_FILE if _DIAGNOSE_FILE in client.commands else _DIAGNOSE
        yield lsp.CodeLens(place, lsp.Command("Diagnose", command, arguments=[uri]))


def _line(old: Text, text: Text, extent: Extent) -> lsp.Range | None:
    at = same_place(text.content, old.content, extent.start)
    end = same_place(text.content, old.content, extent.end)
    return text.range(at, end) if at is not None and end is not None and at <= end else None
