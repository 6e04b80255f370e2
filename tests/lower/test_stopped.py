"""An analysis that is stopped from outside keeps what it has done, and tells of the rest only what is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.lower.document import lower_document
from dllint.lower.options import Options, StoppedError
from dllint.source.document import Document

PROGRAM = """
import torch

torch.ones(3).view(7)


def first(x):
    return torch.ones(2).view(5)


def second(x):
    for i in range(3):
        torch.ones(4).view(9)
    return x


def third(x):
    return torch.ones(2).view(6)
"""


def stopped_after(blocks: int):
    left = blocks

    def checkpoint() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise StoppedError

    document = Document.from_text(Path("a.py"), PROGRAM)
    return lower_document(document, None, Options(checkpoint=checkpoint))


@pytest.mark.parametrize("blocks", range(1, 12))
def test_what_was_done_before_is_kept(blocks):
    whole, lowered = stopped_after(1_000), stopped_after(blocks)
    entries = [program.entry for program in lowered.programs]
    assert entries == [program.entry for program in whole.programs][: len(entries)]
    *ended, last = lowered.programs
    assert not any(program.is_part for program in ended)
    assert last.is_part == bool(lowered.cut)
    assert bool(lowered.cut) == (len(lowered.programs) < len(whole.programs) or last.is_part)
    assert not lowered.failures
