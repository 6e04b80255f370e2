"""An assertion that fixes a size of an input: the entry is run again with it."""

from pathlib import Path

import pytest

from dllint.lower.document import lower_document
from dllint.source.document import Document

PATCHES = """
import torch
from torch import nn, _assert

class Patches(nn.Module):
    def __init__(self, side=224):
        super().__init__()
        self.side = side
        self.cut = nn.Conv2d(3, 8, 16, 16)

    def forward(self, picture):
        n, c, height, width = picture.shape
        CHECK
        return self.cut(picture)
"""


@pytest.mark.parametrize("check", ["_assert(height == self.side, 'size')", "assert height == self.side"])
def test_asserted_size_is_used(check):
    lowered = lower_document(Document.from_text(Path("m.py"), PATCHES.replace("CHECK", check)))
    shape = lowered.programs[-1].results.shape
    assert lowered.failures == []
    assert shape[1:3] == (8, 14)
    assert not isinstance(shape[3], int)


def test_condition_is_no_assertion():
    check = "if height == self.side: print(height)"
    lowered = lower_document(Document.from_text(Path("m.py"), PATCHES.replace("CHECK", check)))
    assert not isinstance(lowered.programs[-1].results.shape[2], int)
