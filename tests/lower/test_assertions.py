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


_BEHIND = """
        self.calls = self.calls + 1
        if self.strict:
            CHECK
        self.cut = nn.Conv2d(3, 8, self.calls, 16)
        return self.cut(picture)
"""


@pytest.mark.parametrize("check", ["_assert(height == self.side, 'size')", "assert height == self.side"])
@pytest.mark.parametrize("strict", ["strict=True", "strict=unknown()"])
def test_a_run_that_begins_anew_is_traced_once(check, strict):
    text = PATCHES.replace("side=224", f"side=224, {strict}").replace(
        "self.side = side", "self.side, self.strict = side, strict"
    )
    text = text.replace("self.cut = nn.Conv2d(3, 8, 16, 16)", "self.calls = 15")
    text = text.replace("\n        CHECK\n        return self.cut(picture)\n", _BEHIND.replace("CHECK", check))
    lowered = lower_document(Document.from_text(Path("m.py"), text))
    assert lowered.failures == []
    assert [op.kind for op in lowered.programs[-1].ops].count("conv") == 1
    assert lowered.programs[-1].results.shape[1] == 8
