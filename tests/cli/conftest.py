"""Running the command line in this process, as the installed command would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dllint.cli.main import run


@dataclass(frozen=True)
class Outcome:
    """What a command line did: its exit status, standard output and standard error."""

    status: int
    out: str
    err: str


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DLLINT_OUTPUT_FORMAT", raising=False)
    return tmp_path


@pytest.fixture
def dllint(project, capsys) -> Callable[..., Outcome]:
    """Run a command line in the project."""

    def call(*arguments: str) -> Outcome:
        status = run(arguments)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(status, captured.out, captured.err)

    return call
