"""What a session has read goes with it: no table of the process holds trees, traces or modules beyond it."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.lower.pending import Library, library_of
from dllint.source.workspace import Workspace

BLOCKS = """import functools
import torch
from torch import nn


def logged(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)

    return inner


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = nn.Linear(size, size)

    @logged
    def forward(self, x):
        return self.layer(x)
"""
MODEL = """import torch
from blocks import Block

model = Block(8)
print(model(torch.randn(2, 8)))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "blocks.py").write_text(BLOCKS, encoding="utf-8")
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    return tmp_path


def _libraries() -> int:
    gc.collect()
    return sum(isinstance(kept, Library) for kept in gc.get_objects())


@pytest.mark.parametrize("remember", [False, True])
def test_a_session_that_is_dropped_is_freed(remember: bool, folder: Path):
    before = _libraries()
    session = Session(Configuration(isolated=True), remember=remember)
    for name in ("model.py", "blocks.py"):
        assert session.check_file(folder / name).findings == []
    assert _libraries() > before
    del session
    assert _libraries() == before


def test_traces_that_begin_anew_free_those_before_them(folder: Path):
    session, blocks = Session(Configuration(isolated=True), remember=True), folder / "blocks.py"
    counts = set()
    for number in range(6):
        blocks.write_text(BLOCKS.replace("(size, size)", f"(size, size, bias={number % 2 == 0})"), encoding="utf-8")
        session.refresh(blocks)
        session.check_file(folder / "model.py")
        counts.add(_libraries())
    assert len(counts) == 1


def test_each_workspace_has_a_library_of_its_own(folder: Path):
    first, second = Workspace([folder]), Workspace([folder])
    assert library_of(first) is library_of(first)
    assert library_of(first) is not library_of(second)
