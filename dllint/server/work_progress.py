"""The progress of long work, as the editor shows it, with its button to cancel."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from itertools import count
from typing import Final

from lsprotocol import types as lsp

from dllint.server.app import Server

_LOGGER = logging.getLogger(__name__)
_NUMBERS: Final = count(1)
#: Seconds to wait for an editor that does not say whether it shows progress.
_LONGEST_WAIT: Final = 3.0


class WorkProgress:
    """One piece of work; an editor that cannot show progress is sent nothing."""

    def __init__(self, ls: Server) -> None:
        self._progress = ls.work_done_progress
        self._able = ls.state.client.progress
        self._token = f"dllint-run-{next(_NUMBERS)}"
        self._shown = False
        self._last = ""

    async def begin(self, title: str, cancel: Callable[[], None]) -> None:
        """Show the work; ``cancel`` is called when the user wants no more of it."""
        if not self._able:
            return
        try:
            await asyncio.wait_for(self._progress.create_async(self._token), _LONGEST_WAIT)
        except Exception as error:  # the work is worth doing without
            _LOGGER.warning("the editor shows no progress: %s", error)
            return
        self._shown = True
        self._progress.tokens[self._token].add_done_callback(lambda token: cancel() if token.cancelled() else None)
        self._progress.begin(self._token, lsp.WorkDoneProgressBegin(title=title, cancellable=True))

    def report(self, text: str) -> None:
        """Say what is being done."""
        if self._shown and text != self._last:
            self._last = text
            self._progress.report(self._token, lsp.WorkDoneProgressReport(cancellable=True, message=text))

    def end(self, text: str) -> None:
        """The work is done, or given up."""
        if self._shown:
            self._shown = False
            self._progress.end(self._token, lsp.WorkDoneProgressEnd(message=text))
            self._progress.tokens.pop(self._token, None)
