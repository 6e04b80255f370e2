"""Outlines of files that editors show: asked for again when the analysis knows more.

The protocol has no request that says so. What an editor has of a server that registers the feature anew, it asks for again.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

from dllint.server.symbols import symbols_in

if TYPE_CHECKING:
    from dllint.server.app import Server
    from dllint.server.files import OpenFile

_LOGGER = logging.getLogger(__name__)
#: How editors name the outline if several servers have one.
LABEL: Final = "Models"
_SELECTOR: Final = (
    lsp.TextDocumentFilterLanguage(language="python", scheme="file"),
    lsp.NotebookCellTextDocumentFilter(notebook="jupyter-notebook", language="python"),
)


class Outlines:
    """Which outlines an editor has, and offering them anew when others are known."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._numbers = count(1)
        self._registered = ""
        self._is_offering = False
        #: By the address of a text: what its last outline said.
        self._told: dict[str, _Said] = {}

    def answered(self, uri: str, symbols: Sequence[lsp.DocumentSymbol]) -> None:
        """The editor was told the outline of a text."""
        self._told[uri] = _said(symbols)

    def known(self, file: OpenFile) -> None:
        """More is known of a file: if the editor has an outline that says something else, that is offered anew."""
        for part in file.parts:
            wanted = self._server.state.settings_for(file.path).symbols
            if part.uri in self._told and self._told[part.uri] != _said(symbols_in(file, part, wanted)):
                self.changed()

    def changed(self) -> None:
        """Offer outlines anew, if the editor has any and can be told so."""
        if self._registered and self._told and not self._is_offering:
            self._told.clear()
            self._server.spawn(self.offer())

    async def offer(self) -> None:
        """Register the feature, in the place of what is registered."""
        self._is_offering = True
        before, now = self._registered, f"dllint-symbols-{next(self._numbers)}"
        method = lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL
        options = lsp.DocumentSymbolRegistrationOptions(document_selector=_SELECTOR, label=LABEL)
        try:
            if before:
                old = lsp.UnregistrationParams([lsp.Unregistration(before, method)])
                await self._server.client_unregister_capability_async(old)
            await self._server.client_register_capability_async(
                lsp.RegistrationParams([lsp.Registration(now, method, options)])
            )
            self._registered = now
        except Exception as error:  # the outline is then what it was
            _LOGGER.warning("the editor does not take the outline: %s", error)
        finally:
            self._is_offering = False


#: The names and details of symbols with those below them; their places move with the text.
_Said = tuple[object, ...]


def _said(symbols: Sequence[lsp.DocumentSymbol]) -> _Said:
    return tuple((one.name, one.detail, _said(one.children or ())) for one in symbols)
