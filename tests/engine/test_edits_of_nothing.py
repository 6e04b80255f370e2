"""An edit that no step is concerned by sets nothing back, and its answer is that of a fresh start."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dllint.lower.incremental import IncrementalLowering
from dllint.source.document import Document
from tests.engine.test_incremental import session, shown

TEXT = '''\
import argparse

import torch
from torch import nn


def unused(x):
    """It is not called."""
    y = x.flatten(1)
    return y


def helper(x):
    y = x.mean(1)
    return y


class Model(nn.Module):
    def __init__(self, width=8, flag=False):
        super().__init__()
        self.fc = nn.Linear(width, 7)
        self.flag = flag

    def forward(self, x):
        if self.flag:
            x = x + 1
        y = self.fc(helper(x))
        return nn.functional.softmax(y)


parser = argparse.ArgumentParser()
parser.add_argument("--wide", action="store_true")
options = parser.parse_args()
model = Model(16 if options.wide else 8)
out = model(torch.zeros(2, 3, 9))
'''
#: Lines that are put behind others, at their margin.
QUIET = ("# a remark", "", "# another one")
LINES = (*QUIET, "z = 1", "y = y.sum(0)", "z = 1 + \\\n{m}    2", "import math")


@pytest.fixture
def set_back(monkeypatch):
    """The times that the state was set back."""
    noted, real = [], IncrementalLowering._set_back
    monkeypatch.setattr(IncrementalLowering, "_set_back", lambda self: (noted.append(self), real(self))[1])
    return noted


def with_line(text: str, number: int, added: str) -> str:
    lines = text.split("\n")
    margin = lines[number][: len(lines[number]) - len(lines[number].lstrip())]
    return "\n".join([*lines[: number + 1], margin + added.replace("{m}", margin), *lines[number + 1 :]])


def told(editor, document: Document) -> list[object]:
    analysis = editor.analyser(document.path).analyse(document)
    return [*shown(analysis), analysis.cut]


def test_comments_set_nothing_back(tmp_path, set_back):
    (tmp_path / "pyproject.toml").write_text("")
    editor, document = session(tmp_path, remember=True), Document.from_text(tmp_path / "model.py", TEXT)
    told(editor, document)
    own = set_back[0]
    set_back.clear()
    for number in (7, 8, 19, 20, 27, 34):
        for added in QUIET:
            document = document.edit(with_line(TEXT, number, added))
            fresh = Document.from_text(document.path, document.text)
            assert told(editor, document) == told(session(tmp_path, remember=True), fresh)
    assert own not in set_back


@pytest.mark.parametrize("seed", range(4))
def test_any_edits_have_the_answer_of_a_fresh_start(tmp_path, seed):
    (tmp_path / "pyproject.toml").write_text("")
    random, path = Random(seed), Path(tmp_path / "model.py")
    editor, document = session(tmp_path, remember=True), Document.from_text(path, TEXT)
    for _ in range(25):
        base = TEXT if random.random() < 0.4 else document.text
        text = with_line(base, random.randrange(8, base.count("\n")), random.choice(LINES))
        fresh = Document.from_text(path, text)
        if fresh.problem is None:
            document = document.edit(text)
            assert told(editor, document) == told(session(tmp_path, remember=True), fresh)
