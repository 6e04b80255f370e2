"""A tensor that is copied to another device is dense there, whatever its layout was (``torch.preserve_format``)."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports

MADE = {
    "expanded": "torch.arange(5).unsqueeze(0).expand(3, 5)",
    "cut": "torch.randn(6, 10)[::2, ::2]",
    "diagonal": "torch.randn(5, 5, 3).diagonal(dim1=0, dim2=1)",
}
MOVES = {
    "cuda": "{x}.cuda()",
    "to device": "{x}.to('cuda')",
    "to device by keyword": "{x}.to(device=device)",
    "to another": "{x}.to(torch.device(device), non_blocking=True)",
    "cpu": "{x}.cpu()",
}
TEXT = "import torch\n\ndevice = 'cuda' if torch.cuda.is_available() else 'cpu'\nx = {made}\nx = {moved}\ny = x.view(15)\n"


@pytest.mark.parametrize(("made", "move"), list(product(MADE, MOVES)))
def test_nothing_is_known_of_what_was_not_dense(made, move):
    text = TEXT.format(made=MADE[made], moved=MOVES[move].format(x="x"))
    assert reports(text) == []


@pytest.mark.parametrize("move", MOVES)
def test_a_permutation_stays_one(move):
    text = TEXT.format(made="torch.randn(3, 5).t()", moved=MOVES[move].format(x="x"))
    assert [code for _, code in reports(text)] == ["DLT107"]


@pytest.mark.parametrize("made", ["expanded", "cut"])
def test_what_stays_where_it_is_is_told(made):
    text = TEXT.format(made=MADE[made], moved="x")
    assert [code for _, code in reports(text)] == ["DLT107"]
