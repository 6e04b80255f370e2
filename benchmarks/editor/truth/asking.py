"""What the language server says about the names of a file: hints and hovers, asked over the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.server.strict_client import COMMAND, Client

_SETTINGS = {"inlayHints": {"shapes": True}}
_SECONDS = 120


class _Patient(Client):
    """A client on a busy machine."""

    def request(self, method: str, params: Any, timeout: float = _SECONDS) -> Any:
        return super().request(method, params, timeout)


class Asked:
    """A running server with one file open in it; use it as a context."""

    def __init__(self, root: Path, file: Path) -> None:
        self.text = file.read_text(encoding="utf-8")
        self.client = _Patient(COMMAND, cwd=root, settings=_SETTINGS)
        self.client.start(root, options=_SETTINGS)
        self.uri = self.client.open(file, self.text)
        self.client.request("textDocument/diagnostic", {"textDocument": {"uri": self.uri}})
        # answered after what is known at the places of the file
        self.client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [self.uri]})

    def __enter__(self) -> Asked:
        return self

    def __exit__(self, *_about: object) -> None:
        self.client.stop()

    def hints(self) -> dict[tuple[int, int], str]:
        """The labels by line (from 1) and column where they stand, without their colon."""
        end = {"line": self.text.count("\n") + 1, "character": 0}
        params = {"textDocument": {"uri": self.uri}, "range": {"start": {"line": 0, "character": 0}, "end": end}}
        found: list[dict[str, Any]] = self.client.request("textDocument/inlayHint", params) or []
        return {
            (hint["position"]["line"] + 1, hint["position"]["character"]): hint["label"].removeprefix(":").strip()
            for hint in found
        }

    def hover(self, line: int, column: int) -> str:
        """What is told at a place; empty if nothing is."""
        position = {"line": line - 1, "character": column}
        answer = self.client.request("textDocument/hover", {"textDocument": {"uri": self.uri}, "position": position})
        return str(answer["contents"]["value"]) if answer else ""
