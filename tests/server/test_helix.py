"""The server as Helix uses it. No package index has that editor, so a client stands in for it that declares what Helix 25.07
declares and answers as it does: its ``config`` is the ``initializationOptions``, and what ``workspace/configuration`` asks for
is looked up in it by the section's name."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.server.strict_client import Client

PAGE = Path(__file__).parents[2] / "docs" / "editors.md"
NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.last = nn.Linear({}, 2)

    def forward(self, x):
        x = torch.relu(self.first(x))
        return self.last(x)


print(Net()(torch.randn(3, 4)))
"""
#: It can be told of no refresh and takes no features that are registered late, but for watched files.
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "publishDiagnostics": {"versionSupport": True, "tagSupport": {"valueSet": [1, 2]}},
        "inlayHint": {"dynamicRegistration": False},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source"]}},
            "isPreferredSupport": True,
            "disabledSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit", "command"]},
        },
    },
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": False},
        "executeCommand": {"dynamicRegistration": False},
        "inlayHint": {"refreshSupport": False},
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]},
        "workspaceFolders": True,
    },
    "window": {"workDoneProgress": True},
}


class Helix(Client):
    """Answers ``workspace/configuration`` as Helix does; ``settings`` is the table ``config`` of ``languages.toml``."""

    def _setting(self, item: dict[str, Any]) -> Any:
        value: Any = self.settings
        for part in item["section"].split(".") if item.get("section") else ():
            value = value.get(part) if isinstance(value, dict) else None
        return value


def languages() -> dict[str, Any]:
    """The ``languages.toml`` of the page."""
    section = PAGE.read_text(encoding="utf-8").split("\n## Helix", 1)[1]
    found = re.search(r"```toml\n(.*?)```", section, re.DOTALL)
    assert found is not None
    return tomllib.loads(found[1])


@pytest.fixture
def helix(tmp_path):
    """Helix, with the set-up of the page, in a folder."""
    server = languages()["language-server"]["dllint"]
    client = Helix(cwd=tmp_path, settings=server["config"])
    client.start(tmp_path, CAPABILITIES, server["config"])
    yield client
    assert client.stop() == 0


def test_the_language_names_the_server():
    (language,) = languages()["language"]
    assert language["name"] == "python"
    assert language["language-servers"][0] in languages()["language-server"]


def test_what_a_user_of_helix_gets(helix, tmp_path):
    text = NET.format(9)
    uri = helix.open(tmp_path / "net.py", text)
    document = {"uri": uri}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(text.splitlines()), "character": 0}}
    # Asked at once, before anything is known, and never again: so the answers wait for it.
    hints = helix.request("textDocument/inlayHint", {"textDocument": document, "range": whole})
    symbols = helix.request("textDocument/documentSymbol", {"textDocument": document})
    assert ": f32[3, 8]" in [hint["label"] for hint in hints]
    assert [symbol["name"] for symbol in symbols] == ["Net", "first: Linear", "last: Linear"]

    (finding,) = helix.published(uri, 1)
    assert finding["code"] == "DLT101"
    hover = helix.request("textDocument/hover", {"textDocument": document, "position": finding["range"]["start"]})
    assert hover["contents"]["kind"] == "markdown"

    asked = {"textDocument": document, "range": finding["range"], "context": {"diagnostics": [finding], "only": ["quickfix"]}}
    fixes = helix.request("textDocument/codeAction", asked)
    (change,) = fixes[0]["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 1}
    assert {edit["newText"] for edit in change["edits"]} == {"8"}
    refreshes = [message for message in helix.messages if str(message.get("method")).endswith("/refresh")]
    assert refreshes == []
    helix.replace(uri, 2, NET.format(8))
    assert helix.request("textDocument/inlayHint", {"textDocument": document, "range": whole})
    assert helix.published(uri, 2) == []
