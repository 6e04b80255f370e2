"""A client of the language server that forgives nothing: every byte must belong to a frame, every message to the protocol."""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from lsprotocol import converters
from lsprotocol import types as lsp

COMMAND = (sys.executable, "-m", "dllint", "server")
ROOT = Path(__file__).parents[2]
_HEADER = re.compile(rb"(?:Content-Length: (\d+)|Content-Type: [ -~]+)\r\n")
_CONVERTER = converters.get_converter()

FOLLOWED = "$/dllint/followed"
#: What a modern editor can do; tests take away from it.
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "synchronization": {"dynamicRegistration": False},
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True, "codeDescriptionSupport": True},
        "diagnostic": {"dynamicRegistration": False, "relatedDocumentSupport": False},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "inlayHint": {"dynamicRegistration": False},
        "codeLens": {"dynamicRegistration": False},
        "documentSymbol": {"dynamicRegistration": True, "hierarchicalDocumentSymbolSupport": True, "labelSupport": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}},
            "dataSupport": True,
            "isPreferredSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
    },
    "notebookDocument": {"synchronization": {"dynamicRegistration": False}},
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "diagnostics": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "workspaceEdit": {"documentChanges": True},
        "workspaceFolders": True,
    },
}


class ProtocolError(AssertionError):
    """The server has sent what is not allowed."""


class Client:
    """Talks with one server process. Requests of the server are answered at once; ``settings`` are the editor's."""

    def __init__(self, command: tuple[str, ...] = COMMAND, cwd: Path | None = None, settings: Any = None) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        self.settings = settings if settings is not None else {}
        self.messages: list[dict[str, Any]] = []
        self.errors: list[bytes] = []
        self.fault: str | None = None
        self._arrived = threading.Condition()
        self._asked: dict[int, str] = {}
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=t, daemon=True) for t in (self._read, self._complain, self._write)]
        for thread in self._threads:
            thread.start()

    # Sending

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._outgoing.put(data)

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> int:
        """Send a request; its answer is got by :meth:`answer`."""
        number = len(self._asked) + 1
        self._asked[number] = method
        self.send({"id": number, "method": method, "params": params})
        return number

    def request(self, method: str, params: Any, timeout: float = 30) -> Any:
        """The result of a request."""
        message = self.answer(self.ask(method, params), timeout)
        assert "error" not in message, message["error"]
        return message["result"]

    def answer(self, number: int, timeout: float = 30) -> dict[str, Any]:
        """The response to a request."""
        return self.wait(lambda m: m.get("id") == number and "method" not in m, timeout)

    # Waiting

    def wait(self, matches: Any, timeout: float = 30, after: int = 0) -> dict[str, Any]:
        """The first message (from number ``after`` on) for which ``matches`` is true."""
        end = time.monotonic() + timeout
        with self._arrived:
            while True:
                found = next((m for m in self.messages[after:] if matches(m)), None)
                if found is not None:
                    return found
                if self.fault is not None:
                    raise ProtocolError(self.fault)
                left = end - time.monotonic()
                if left <= 0 or not self._arrived.wait(left):
                    raise TimeoutError(f"not sent: {b''.join(self.errors).decode()[-2000:]}\n{self.messages[-5:]}")

    def published(self, uri: str, version: int | None = None, timeout: float = 30, after: int = 0) -> list[dict[str, Any]]:
        """The diagnostics that were pushed for a file (in a version)."""

        def matches(message: dict[str, Any]) -> bool:
            params = message.get("params") or {}
            wanted = message.get("method") == "textDocument/publishDiagnostics" and params.get("uri") == uri
            return wanted and (version is None or params.get("version") == version)

        return self.wait(matches, timeout, after)["params"]["diagnostics"]

    def sent(self, method: str) -> list[dict[str, Any]]:
        """The notifications and requests of a kind that the server has sent so far."""
        with self._arrived:
            return [message for message in self.messages if message.get("method") == method]

    # The life of a session

    def start(self, root: Path | None, capabilities: Any = None, options: Any = None, **more: Any) -> dict[str, Any]:
        """Introduce the client; the answer is what the server can do."""
        folders = [{"uri": root.as_uri(), "name": root.name}] if root is not None else None
        params = {
            "processId": None,
            "rootUri": root.as_uri() if root is not None else None,
            "workspaceFolders": folders,
            "capabilities": CAPABILITIES if capabilities is None else capabilities,
            "initializationOptions": options,
            **more,
        }
        result = self.request("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, path: Path, text: str | None = None, version: int = 1, language: str = "python") -> str:
        """Open a file; its address."""
        content = path.read_text(encoding="utf-8") if text is None else text
        item = {"uri": path.as_uri(), "languageId": language, "version": version, "text": content}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return path.as_uri()

    def replace(self, uri: str, version: int, text: str) -> None:
        """Give an open file another text."""
        changes = [{"text": text}]
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes})

    def edit(self, uri: str, version: int, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        """Replace a range of an open file."""
        range_ = {"start": dict(zip(("line", "character"), start, strict=True)),
                  "end": dict(zip(("line", "character"), end, strict=True))}  # fmt: skip
        changes = [{"range": range_, "text": text}]
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes})

    def pull(self, uri: str, previous: str | None = None) -> dict[str, Any]:
        """Ask for the diagnostics of a file."""
        params = {"textDocument": {"uri": uri}}
        return self.request("textDocument/diagnostic", params if previous is None else {**params, "previousResultId": previous})

    def stop(self) -> int:
        """Say goodbye as the protocol wants it; the exit status."""
        if self.process.poll() is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        return self.close()

    def close(self) -> int:
        """Wait for the end of the process, and fail if it has sent what is not allowed."""
        try:
            status = self.process.wait(10)
        finally:
            self._outgoing.put(None)
            self.process.kill()
            for thread in self._threads:
                thread.join(5)
        if self.fault is not None:
            raise ProtocolError(self.fault)
        return status

    # The server's side

    def _write(self) -> None:
        assert self.process.stdin is not None
        try:
            while (data := self._outgoing.get()) is not None:
                self.process.stdin.write(data)
                self.process.stdin.flush()
            self.process.stdin.close()
        except OSError:
            return

    def _complain(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line)

    def _read(self) -> None:
        try:
            while (message := self._frame()) is not None:
                self._check(message)
                self._serve(message)
                with self._arrived:
                    self.messages.append(message)
                    self._arrived.notify_all()
        except Exception as error:
            with self._arrived:
                self.fault = f"{type(error).__name__}: {error}"
                self._arrived.notify_all()

    def _frame(self) -> dict[str, Any] | None:
        assert self.process.stdout is not None
        length = None
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line and length is None:
                return None
            match = _HEADER.fullmatch(line)
            if match is None:
                raise ProtocolError(f"{line!r} stands outside a frame")
            length = int(match[1]) if match[1] else length
        if length is None:
            raise ProtocolError("a frame without Content-Length")
        body = self.process.stdout.read(length)
        if len(body) != length:
            raise ProtocolError("a frame was cut off")
        message = json.loads(body)
        if message.get("jsonrpc") != "2.0":
            raise ProtocolError(f"not JSON-RPC 2.0: {message}")
        return message

    def _check(self, message: dict[str, Any]) -> None:
        """Whether a message is one of the protocol, or the one of ours."""
        if message.get("method") == FOLLOWED:
            if "id" in message or message["params"].keys() != {"uri", "version", "text", "share"}:
                raise ProtocolError(f"not what was agreed on: {message}")
            return
        if "method" in message:
            kind = lsp.METHOD_TO_TYPES[message["method"]][0]
        elif "error" in message:
            kind = lsp.ResponseErrorMessage
        else:
            kind = lsp.METHOD_TO_TYPES[self._asked[message["id"]]][1]
        _CONVERTER.structure(json.loads(json.dumps(message)), kind)

    def _serve(self, message: dict[str, Any]) -> None:
        """Answer a request of the server as an editor does."""
        if "method" not in message or "id" not in message:
            return
        result = None
        if message["method"] == "workspace/configuration":
            result = [self._setting(item) for item in message["params"]["items"]]
        elif message["method"] == "workspace/applyEdit":
            result = {"applied": True}
        elif message["method"] == "window/showDocument":
            result = {"success": True}
        self.send({"id": message["id"], "result": result})

    def _setting(self, item: dict[str, Any]) -> Any:
        by_folder = self.settings.get("folders", {})
        return by_folder.get(item.get("scopeUri"), {k: v for k, v in self.settings.items() if k != "folders"})
