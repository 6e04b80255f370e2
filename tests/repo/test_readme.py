"""The README's examples print what the README says, and its commands exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from dllint.cli.main import run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def steps(session: str) -> list[tuple[str, str]]:
    """The commands of a console session with what follows each."""
    parts = re.split(r"^\$ (.*)\n", session, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("session", SESSIONS)
def test_sessions(session, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for command, shown in steps(session):
        words = shlex.split(command)
        if words[0] == "cat":
            (tmp_path / words[1]).write_text(shown, encoding="utf-8")
        else:
            assert words[0] == "dllint"
            run(words[1:])
            assert capsys.readouterr().out == shown


def test_there_are_sessions():
    assert len(SESSIONS) >= 3


def test_the_set_up_commands_are_tasks_of_the_makefile():
    tasks = set(re.findall(r"^([a-z0-9-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z0-9-]+)", README + (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE))
    assert {"demo", "test"} <= named <= tasks


def test_continuous_integration_runs_the_readme_commands():
    script = (ROOT / ".ci" / "run").read_text()
    assert "make demo" in script
    assert "make test" in script


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), target
