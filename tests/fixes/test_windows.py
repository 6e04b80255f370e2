"""Repairs of branches that do not keep the size of their input: what is changed makes the sizes agree again."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.edit import apply_edits
from dllint.engine.session import Session
from dllint.source.lazy import LazyDocument

PROGRAM = """\
import torch
from torch import nn


class Branch(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, {second})

    def forward(self, x):
        inner = self.second(torch.relu(self.first(x)))
        return {met}
"""
SECOND = {
    "kernel_size=5, padding=1": "kernel_size=3, padding=1",
    "kernel_size=1, padding=1": "kernel_size=3, padding=1",
    "3": "3, padding=1",
    "kernel_size=3, stride=2, padding=1": "kernel_size=3, stride=1, padding=1",
    "7, padding=0": "7, padding=3",
}
MET = ("x + inner", "torch.cat((inner, x), dim=1)", "inner.contiguous() * x")


@pytest.mark.parametrize(("second", "met"), list(itertools.product(SECOND, MET)))
def test_a_window_is_repaired(second: str, met: str, tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    text = PROGRAM.format(second=second, met=met)
    path.write_text(text)
    session = Session(Configuration(isolated=True), read=LazyDocument.open)
    analyser = session.analyser(path)
    analysis = analyser.analyse(session.tracer(analyser.settings).open(path, text, "utf-8"))
    (finding,) = (found for found in analysis.findings if found.code in ("DLT123", "DLT109"))
    fixes = session.fixes_for(analysis, finding)
    assert fixes, finding.message
    assert apply_edits(text, fixes[0].edits) == PROGRAM.format(second=SECOND[second], met=met)
