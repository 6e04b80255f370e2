"""Requests about the models of a file: its outline and the lenses above them, from what the last analysis knew; graphs and
summaries."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from lsprotocol import types as lsp

from dllint.page.diagram.svg import STYLE
from dllint.page.treegrid import STYLE as TABLE_STYLE
from dllint.server.app import Server, plain
from dllint.server.backend import LostError
from dllint.server.checking import LONGEST_CHECK, ClosedError
from dllint.server.lenses import lenses
from dllint.server.messages import Draw, Drawn, Summarise, Summarised
from dllint.server.symbols import flat, symbols_in
from dllint.source.plain import Plain


async def symbols(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | list[lsp.SymbolInformation]:
    """The outline of a text: what is known of its models; of one that wants it, functions and classes, too."""
    uri = params.text_document.uri
    file, part = ls.enabled(uri) or (None, None)
    if file is not None and not ls.state.client.register_symbols:
        await ls.state.checker.learnt(file)
        part = file.parts.at(uri)
    if file is None or part is None:
        return []
    found = symbols_in(file, part, ls.state.settings_for(file.path).symbols)
    ls.outlines.answered(uri, found)
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


async def graph(ls: Server, *given: Plain) -> dict[str, str] | None:
    """The command ``dllint.graph``, given the address of an open text; then, if wished, the model as a lens names it, and the
    keys of boxes that are to be opened and closed. ``None`` if there is no such model."""
    uri, model, opened, closed = (*given, None, None, None, None)[:4]
    answer = await _about(ls, uri, lambda path: Draw(path, _word(model), _words(opened), _words(closed)))
    if not isinstance(answer, Drawn):
        return None
    return {"svg": answer.svg, "title": answer.title, "model": answer.asked, "style": STYLE}


async def summary(ls: Server, *given: Plain) -> dict[str, str] | None:
    """The command ``dllint.summary``, given the address of an open text; then, if wished, the model as a lens names it.
    ``None`` if there is no such model."""
    uri, model = (*given, None, None)[:2]
    answer = await _about(ls, uri, lambda path: Summarise(path, _word(model)))
    if not isinstance(answer, Summarised):
        return None
    return {"table": answer.table, "title": answer.title, "model": answer.asked, "style": TABLE_STYLE}


async def listed(ls: Server, *given: Plain) -> list[dict[str, str | int]]:
    """The command ``dllint.models``, given the address of an open text: its models as lenses name them, with their own names,
    what is told of them, and their lines from 0."""
    uri = given[0] if given else None
    file, _ = (ls.enabled(uri) if isinstance(uri, str) else None) or (None, None)
    if file is None or not isinstance(uri, str):
        return []
    await ls.state.checker.learnt(file)
    text, known = (file.known.outline(uri) if file.known is not None else None) or (None, None)
    if text is None or known is None:
        return []
    places = ((model, text.range(model.selection.start, model.selection.end)) for model in known.models)
    return [
        {"model": model.asked, "name": model.name, "detail": model.summary, "line": place.start.line} for model, place in places
    ]


async def _about(ls: Server, uri: Plain, question: Callable[[Path], Draw | Summarise]) -> object:
    """The answer to a question about a file with an open text as it is now; ``None`` if there is none."""
    file, _ = (ls.enabled(uri) if isinstance(uri, str) else None) or (None, None)
    if file is None:
        return None
    try:
        await ls.state.checker.current(file)
        return await asyncio.wait_for(ls.state.backend.ask(question(file.path)), LONGEST_CHECK)
    except (ClosedError, LostError, TimeoutError):
        return None


def _word(value: Plain) -> str:
    return value if isinstance(value, str) else ""


def _words(value: Plain | None) -> tuple[str, ...]:
    given = plain(value)
    return tuple(word for word in given if isinstance(word, str)) if isinstance(given, list) else ()
