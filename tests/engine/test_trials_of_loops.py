"""An edit after which a loop is executed fewer times has lost nothing; one after which less is known in the loop has."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.edit import Edit
from dllint.engine.edits import Places
from dllint.engine.session import Session
from dllint.engine.trial import Shown, Trial

#: ``{start}`` is what enters a loop whose body gives four features; with others, a second execution finds something else.
PROGRAM = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, count: int = 6):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(4, 4) for _ in range(count)])

    def forward(self, other):
        x = {start}
        for part in self.parts:
            x = part(torch.relu(torch.tanh(torch.sin(torch.abs(x)))))
        return x
"""
WRONG = "torch.zeros(2, 5)"


@pytest.mark.parametrize(("start", "harmless"), [("torch.zeros(2, 4)", True), ("torch.ones(8, 4)", True), ("other", False)])
@pytest.mark.parametrize("names", [("part", "layer"), ("torch.abs(x)", "torch.abs(x.contiguous())")])
def test_facts_are_compared_by_place(start: str, harmless: bool, names: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    before, after = (PROGRAM.format(start=text).replace(*names) for text in (WRONG, start))
    edit = Edit(path, before.index(WRONG), before.index(WRONG) + len(WRONG), start)
    trial = Trial(*(Shown(_analysis(path, text)) for text in (before, after)), Places(path, [edit]))
    assert trial.is_harmless is harmless


def _analysis(path: Path, text: str):
    session = Session(Configuration(isolated=True))
    analyser = session.analyser(path)
    return analyser.analyse(session.tracer(analyser.settings).open(path, text, "utf-8"))
