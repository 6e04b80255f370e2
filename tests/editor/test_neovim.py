"""Neovim itself, with the set-up that docs/editors.md tells its users: what they see, and what they get done."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
#: The oldest that has `vim.lsp.config`, which the page uses.
OLDEST = (0, 11)
#: Spaces and quotes as no formatter leaves them.
NET = """\
import torch
from torch import nn

class Net ( nn.Module ) :
    def __init__( self ) :
        super( ).__init__( )
        self.conv = nn.Conv2d( 1,16 , 5 )
        self.fc   = nn.Linear( 1600,10 )

    def forward(self, x):
        x  =  torch.relu(self.conv(x))
        x  =  nn.functional.max_pool2d(x, 2)
        return self.fc(x.flatten(1))  # 文 🙂

'🙂'; print( Net()(torch.randn(8, 1, 28, 28)) )
"""
#: Trains nothing, and imports nothing that takes long.
SCRIPT = "import sys\n\nprint(sys.argv[1:])\n"
CASE = {"hover": (12, 8), "fault": (13, 15), "fix": "Set in_features to 2304"}


def neovim() -> str:
    """The program, on PATH or beside this Python."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    program = shutil.which("nvim", path=path)
    if program is None:
        pytest.skip("Neovim is not installed (the extra `editors` has it)")
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"v(\d+)\.(\d+)", told)
    if version is None or (int(version[1]), int(version[2])) < OLDEST:
        pytest.skip(f"Neovim is too old: {told.splitlines()[0]}")
    return program


def setup() -> str:
    """The Lua of the page."""
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    return "\n".join(re.findall(r"```lua\n(.*?)```", page, re.DOTALL))


@pytest.fixture(scope="module")
def seen(tmp_path_factory) -> dict[str, Any]:
    """What a user of Neovim has seen, and the file that was saved."""
    program = neovim()
    home, project = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("project")
    (project / "pyproject.toml").write_text("")
    file = project / "net.py"
    file.write_text(NET, encoding="utf-8")
    init, result = home / "init.lua", home / "seen.json"
    init.write_text(setup(), encoding="utf-8")
    homes = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    script = project / "script.py"
    script.write_text(SCRIPT)
    case = json.dumps({**CASE, "file": str(file), "script": str(script)})
    env = {
        **os.environ,
        **dict.fromkeys(homes, str(home)),
        "PATH": path,
        "PYTHONPATH": str(ROOT),
        "CASE": case,
        "RESULT": str(result),
    }
    command = [program, "--headless", "-n", "-i", "NONE", "-u", str(init), "-S", str(Path(__file__).with_name("neovim.lua"))]
    done = subprocess.run(command, env=env, cwd=project, capture_output=True, text=True, timeout=300, check=False)
    assert result.exists(), done.stdout + done.stderr
    report: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    assert "error" not in report, report["error"]
    return {**report, "text": file.read_text(encoding="utf-8"), "project": project}


def test_the_server_starts_in_the_project(seen):
    assert Path(seen["root"]) == seen["project"]
    assert seen["encoding"] == "utf-8"


def test_findings_hints_and_hovers(seen):
    assert [(d["code"], d["lnum"], d["source"]) for d in seen["diagnostics"]] == [("DLT101", 12, "dllint")]
    assert "has 2304" in seen["diagnostics"][0]["message"]
    assert ": f32[8, 16, 12, 12]" in [hint["inlay_hint"]["label"] for hint in seen["hints"]]
    assert any("f32[8, 16, 12, 12]" in line for line in seen["hover"])


def test_the_outline_has_the_model(seen):
    assert [symbol["name"] for symbol in seen["symbols"]] == ["Net"]


def test_a_fix_changes_what_it_has_to_and_nothing_is_formatted(seen):
    assert seen["text"] == NET.replace("1600,10", "2304,10")
    assert not seen["formats"]


def test_the_command_of_the_page_runs_a_file_and_ends_with_a_message(seen):
    assert "dllint diagnose: it uses neither PyTorch" in seen["messages"], seen["messages"]
