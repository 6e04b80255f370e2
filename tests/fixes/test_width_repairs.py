"""Repairs of widths that are computed from parameters which nobody gives: the text before the slip comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.edit import apply_edits
from dllint.engine.session import Session
from dllint.source.lazy import LazyDocument

PROGRAM = """\
import torch
from torch import nn


class Feed(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.enter = nn.Linear(dim, hidden)
        self.leave = nn.Linear({leave}, dim)
        self.gate = nn.Sequential(nn.Linear({gate}, hidden), nn.ReLU(), nn.Linear(hidden, dim))

    def forward(self, x):
        shared = self.leave(torch.relu(self.enter(x)))
        return self.gate(shared.contiguous())
"""
SOUND = {"leave": "hidden", "gate": "dim"}
SLIPS = [("leave", "hidden * 2"), ("leave", "2 * hidden"), ("leave", "hidden + 1"), ("gate", "dim * 2"), ("gate", "3 * dim")]


@pytest.mark.parametrize(("place", "slip"), SLIPS)
def test_a_computed_width_is_repaired(place: str, slip: str, tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    text = PROGRAM.format(**{**SOUND, place: slip})
    path.write_text(text)
    session = Session(Configuration(isolated=True), read=LazyDocument.open)
    analyser = session.analyser(path)
    analysis = analyser.analyse(session.tracer(analyser.settings).open(path, text, "utf-8"))
    (finding,) = (found for found in analysis.findings if found.code == "DLT101")
    fixes = session.fixes_for(analysis, finding)
    assert fixes, finding.message
    assert apply_edits(text, fixes[0].edits) == PROGRAM.format(**SOUND)
