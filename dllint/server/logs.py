"""Where the server's log goes: to the editor's log window, and to a file if one is named."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified
from pygls.lsp.server import LanguageServer

from dllint.source.neutral import neutral_lines

_KINDS: Final = {
    logging.CRITICAL: lsp.MessageType.Error,
    logging.ERROR: lsp.MessageType.Error,
    logging.WARNING: lsp.MessageType.Warning,
    logging.INFO: lsp.MessageType.Info,
}


def send_logs(server: LanguageServer, level: str, file: Path | None) -> None:
    """Log from now on what is at least as important as ``level``. Raises OSError if the file cannot be written."""
    root = logging.getLogger()
    root.handlers.clear()
    root.setLevel(logging.WARNING)
    logging.getLogger("dllint").setLevel(level.upper())
    logging.getLogger("pygls").setLevel(logging.ERROR if level != "debug" else logging.DEBUG)
    root.addHandler(_ToEditor(server))
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_failure)
    if file is not None:
        handler = logging.FileHandler(file, encoding="utf-8")
        handler.setFormatter(_Neutral("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        root.addHandler(handler)


def _is_failure(record: logging.LogRecord) -> bool:
    """Whether a record of the protocol is worth a line: a request about a text that has changed meanwhile is answered by an
    error, as the protocol has it, and nothing has failed."""
    return record.exc_info is None or not isinstance(record.exc_info[1], JsonRpcContentModified)


class _Neutral(logging.Formatter):
    """Writes records that cannot pretend to be several: lines after the first are indented."""

    def format(self, record: logging.LogRecord) -> str:
        """The text of a record."""
        return neutral_lines(super().format(record)).replace("\n", "\n  ")


class _ToEditor(logging.Handler):
    """Sends records as ``window/logMessage``."""

    def __init__(self, server: LanguageServer) -> None:
        super().__init__()
        self.setFormatter(_Neutral())
        self._server = server
        self._sending = threading.local()

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record, unless it is about sending one."""
        if record.name.startswith("pygls.protocol") and record.levelno < logging.WARNING:
            return
        if self._server.protocol.writer is None or getattr(self._sending, "now", False):
            return
        self._sending.now = True
        try:
            kind = _KINDS.get(record.levelno, lsp.MessageType.Log)
            self._server.window_log_message(lsp.LogMessageParams(kind, self.format(record).rstrip()))
        finally:
            self._sending.now = False
