"""What a run over several files tells, and tells once."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.run import Plan, check_files

USER = """import torch
from torch import nn
from {module} import Head

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = Head()

    def forward(self, x):
        return self.head(x)

Net()(torch.zeros(2, 8))
"""
HEAD = """from torch import nn

class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(8, 8), nn.Linear(8, 2)]

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x
"""


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "head.py").write_text(HEAD)
    (tmp_path / "first.py").write_text(USER.format(module="head"))
    (tmp_path / "second.py").write_text(USER.format(module="head"))
    return tmp_path


def told(*paths: Path) -> list[tuple[str, str, str]]:
    """File that reports, code, file of the place."""
    results = check_files(paths, Plan(Configuration(), jobs=1), lambda: None)
    return [(result.path.name, f.code, f.location.path.name) for result in results for f in result.findings]


@pytest.mark.parametrize("folder", ["", "absolute"])
def test_a_fault_inside_a_checked_file_is_told_by_that_file_alone(project, folder):
    base = project if folder else Path()
    assert told(base / "first.py", base / "head.py", base / "second.py") == [("head.py", "DLS107", "head.py")]


def test_a_fault_inside_a_file_that_is_not_checked_is_told_once(project):
    assert told(Path("first.py"), Path("second.py")) == [("first.py", "DLS107", "head.py")]


def test_the_same_code_in_two_files_is_two_findings(project):
    (project / "copy.py").write_text(HEAD)
    assert told(Path("copy.py"), Path("head.py")) == [("copy.py", "DLS107", "copy.py"), ("head.py", "DLS107", "head.py")]
