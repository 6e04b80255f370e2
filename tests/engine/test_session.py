"""What an editor asks of a session: findings first, proved fixes of one finding on demand."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.analysis import Analysis
from dllint.engine.session import Session
from dllint.source.document import Document

FAULTY = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(5, 4)

    def forward(self, x):
        return self.fc(x)


y = Net()(torch.zeros(2, 3))
"""


@pytest.fixture
def session() -> Session:
    return Session(Configuration(isolated=True), remember=True)


def analysed(session: Session, path: Path) -> Analysis:
    return session.analyser(path).analyse(Document.from_text(path, FAULTY))


def test_fixes_of_a_finding_are_those_that_a_whole_check_offers(session, tmp_path):
    analysis = analysed(session, tmp_path / "a.py")
    (finding,) = analysis.findings
    (checked,) = Session(Configuration(isolated=True)).check_bytes(tmp_path / "a.py", FAULTY.encode()).findings
    assert checked.fixes
    assert session.fixes_for(analysis, finding) == checked.fixes


def test_trying_a_fix_leaves_what_is_remembered_alone(session, tmp_path):
    analysis = analysed(session, tmp_path / "a.py")
    first = session.fixes_for(analysis, analysis.findings[0])
    assert session.tracer(session.configuration.for_file(tmp_path / "a.py")).is_fresh(tmp_path / "a.py")
    assert session.fixes_for(analysis, analysis.findings[0]) is first
