"""A strict client that keeps account of every question and of every version."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

from tests.server.strict_client import Client, ProtocolError

#: Seconds that an answer may take on a busy machine.
PATIENCE: Final = 120.0
#: What the log must not say.
_ALARMING: Final = ("has died", "does not end", "internal-error", "Traceback")
#: What it says of a message that does not fit the protocol, with the place in the reader of messages.
_REFUSALS: Final = ("Unable to deserialize message", "JsonRpcInvalidParams")


class Account(Client):
    """Notes each answer, once, and what the server pushes of versions that are none."""

    def __init__(self, cwd: Path) -> None:
        self.answers: dict[int, dict[str, Any]] = {}
        self.open_questions: set[int] = set()
        self.versions: dict[str, int] = {}
        self.pushed: dict[str, tuple[int | None, list[dict[str, Any]]]] = {}
        self.alarms: list[str] = []
        super().__init__(cwd=cwd)

    def ask(self, method: str, params: Any) -> int:
        """Send a request and note that it is open."""
        with self._arrived:
            self.open_questions.add(len(self._asked) + 1)
        return super().ask(method, params)

    def answer(self, number: int, timeout: float = PATIENCE) -> dict[str, Any]:
        """The response to a request."""
        end = time.monotonic() + timeout
        with self._arrived:
            while number not in self.answers:
                if self.fault is not None:
                    raise ProtocolError(self.fault)
                left = end - time.monotonic()
                if left <= 0 or self.process.poll() is not None:
                    raise TimeoutError(f"no answer to {self._asked[number]}")
                self._arrived.wait(min(left, 1.0))
            return self.answers.pop(number)

    def settle(self) -> dict[int, dict[str, Any]]:
        """The responses to all questions that are open."""
        return {number: self.answer(number) for number in sorted(self.open_questions | set(self.answers))}

    def forget(self) -> None:
        """Free what has been read of the conversation."""
        with self._arrived:
            self.messages.clear()

    def _serve(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            self._note(message)
        elif message["method"] == "textDocument/publishDiagnostics":
            self._published(message["params"])
        elif message["method"] in ("window/logMessage", "window/showMessage"):
            text = message["params"]["message"]
            if any(word in text for word in _ALARMING) and not any(word in text for word in _REFUSALS):
                self.alarms.append(text)
        super()._serve(message)

    def _note(self, message: dict[str, Any]) -> None:
        number = message["id"]
        with self._arrived:
            if number not in self.open_questions:
                raise ProtocolError(f"an answer that nobody asked for: {message}")
            self.open_questions.remove(number)
            self.answers[number] = message

    def _published(self, params: dict[str, Any]) -> None:
        uri, version = params["uri"], params.get("version")
        last, _ = self.pushed.get(uri, (None, []))
        if version is not None:
            if version > self.versions.get(uri, version):
                raise ProtocolError(f"diagnostics of version {version}, which was never sent: {uri}")
            if last is not None and version < last:
                raise ProtocolError(f"diagnostics of version {version} after those of {last}: {uri}")
        self.pushed[uri] = (version, params["diagnostics"])
