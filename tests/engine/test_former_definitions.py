"""Definitions of former texts are dropped when no step of the analysis refers to them, and are not missed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.document import Document

TEXT = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.first = nn.Linear(width, 16)
        self.second = nn.Linear(16, 4)

    def forward(self, x):
        x = self.first(x)
        return self.second(x)


def make(width=8):
    block = Block(width)
    return block


print(make()(torch.ones(2, 8)).shape)
"""
#: By line of the text, what may be typed behind it.
TYPED = {
    8: ("self.more = {n}", "self.second = nn.Linear({n}, 4)"),
    12: ("x = x + {n}", "y = x.view(-1, {n})"),
    17: ("width = {n}", "block.eval()"),
}
#: More are kept than are told to be needed only until the next text is analysed.
MOST = 20


def found(session: Session, document: Document) -> list[tuple[str, str, object]]:
    analysis = session.analyser(document.path).analyse(document)
    return [(finding.code, finding.message, finding.location.span.first) for finding in analysis.findings]


@pytest.mark.parametrize("seed", range(3))
def test_former_definitions_are_forgotten_and_not_missed(tmp_path: Path, seed: int) -> None:
    path, random = tmp_path / "m.py", Random(seed)
    path.write_text(TEXT)
    session, document = Session(Configuration(isolated=True), remember=True), Document.from_text(path, TEXT)
    lines = TEXT.splitlines(keepends=True)
    for number in range(60):
        place = random.choice(list(TYPED))
        margin = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        typed = margin + random.choice(TYPED[place]).format(n=random.choice((8, 16, number))) + "\n"
        document = document.edit("".join([*lines[:place], typed, *lines[place:]]))
        answer = found(session, document)
        if number % 10 == 9:
            fresh = Session(Configuration(isolated=True), remember=False)
            assert answer == found(fresh, Document.from_text(path, document.text))
        assert all(len(chunk.tree.origin.code) <= MOST for chunk in document.chunks if chunk.tree is not None)
