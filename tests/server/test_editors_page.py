"""What docs/editors.md tells people to write into their editors works."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from dllint.server.settings import ClientSettings, initial_settings, read_settings

PAGE = (Path(__file__).parents[2] / "docs" / "editors.md").read_text(encoding="utf-8")


def block(language, heading):
    section = PAGE.split(f"\n## {heading}", 1)[1].split("\n## ", 1)[0]
    return re.search(rf"```{language}\n(.*?)```", section, re.DOTALL)[1]


def silent(text):
    raise AssertionError(text)


def test_the_table_names_every_setting_with_its_default():
    rows = re.findall(r"^\| `([\w.]+)` \| `([^`]+)` \|", PAGE, re.MULTILINE)
    assert dict(rows) == {
        "enable": "true", "configuration": "null", "select": "[]", "extendSelect": "[]", "ignore": "[]",
        "diagnosticMode": "openFilesOnly", "hints": "true", "interpreter": "null", "inlayHints.shapes": "false",
        "inlayHints.parameters": "true",
        "symbols": '"models"', "codeLens.models": "true", "codeLens.graph": "true", "codeLens.summary": "true",
        "codeLens.diagnose": "true",
    }  # fmt: skip
    assert (
        read_settings({name: value if name == "diagnosticMode" else json.loads(value) for name, value in rows}, silent)
        == ClientSettings()
    )
    assert read_settings({"diagnosticMode": "workspace"}, silent).workspace
    with pytest.raises(AssertionError, match="must be one of openFilesOnly, workspace"):
        read_settings({"diagnosticMode": "all"}, silent)
    with pytest.raises(AssertionError, match="enable"):
        read_settings({"enable": 3}, silent)


def test_vs_code():
    settings = json.loads(block("json", "VS Code"))
    ours = {key.removeprefix("dllint."): value for key, value in settings.items() if key.startswith("dllint.")}
    assert read_settings(ours, silent) == ClientSettings(configuration={"min-confidence": "medium"}, inlay_shapes=True)


def test_helix():
    server = tomllib.loads(block("toml", "Helix"))["language-server"]["dllint"]
    assert [server["command"], *server["args"]] == ["dllint", "server"]
    assert initial_settings(server["config"], silent).inlay_shapes


def test_sublime():
    server = json.loads(block("json", "Sublime"))["clients"]["dllint"]
    assert server["command"] == ["dllint", "server"]
    assert initial_settings(server["initializationOptions"], silent).inlay_shapes


def test_neovim_and_emacs_start_the_same_program():
    assert 'cmd = { "dllint", "server" }' in block("lua", "Neovim")
    assert "settings = { dllint = { inlayHints = { shapes = true } } }" in block("lua", "Neovim")
    lisp = block("elisp", "Emacs")
    assert '("dllint" "server")' in lisp
    assert lisp.count("(") == lisp.count(")")
