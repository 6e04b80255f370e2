"""Requests about the models of a file: its outline and the lenses above them, answered from what the last analysis knew."""

from __future__ import annotations

from lsprotocol import types as lsp

from dllint.analysis.architecture.outlined import Outline
from dllint.server.app import Server
from dllint.server.lenses import lenses
from dllint.server.symbols import flat, model_symbols, with_definitions


def symbols(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | list[lsp.SymbolInformation]:
    """The outline of a text: what is known of its models; of one that wants it, functions and classes, too."""
    uri = params.text_document.uri
    file, part = ls.enabled(uri) or (None, None)
    if file is None or part is None:
        return []
    wanted = ls.state.settings_for(file.path).symbols
    ls.outlines.answered(uri, file)
    if wanted == "off":
        return []
    old, known = (file.known.outline(uri) if file.known is not None else None) or (part.text, Outline())
    found = model_symbols(old, known, part.text)
    if wanted == "all":
        found = with_definitions(part.text, found)
    return found if ls.state.client.hierarchical_symbols else list(flat(found, uri))


def code_lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    """What stands above the models of a text and where it trains."""
    uri = params.text_document.uri
    file, part = ls.enabled(uri) or (None, None)
    outline = file.known.outline(uri) if file is not None and file.known is not None else None
    if file is None or part is None or outline is None:
        return []
    old, known = outline
    settings = ls.state.settings_for(file.path)
    return list(lenses(old, known, part.text, uri, ls.state.client, settings, runs=part.cell is None))
