"""Losses over padded class numbers in every structural form."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn\nfrom torch.nn.utils.rnn import pad_sequence"
SETUP = """tags = pad_sequence([torch.randint(1, 9, (n,)) for n in (5, 7)]{})
scores = torch.randn(14, 9, requires_grad=True)"""
BODIES = {
    ("", "loss = nn.functional.cross_entropy(scores, tags.flatten())"): True,
    (", batch_first=True", "loss = nn.CrossEntropyLoss()(scores, tags.contiguous().view(-1))"): True,
    (", padding_value=8", "loss = nn.CrossEntropyLoss(ignore_index=0)(scores, tags.reshape(-1).long())"): True,
    ("", "loss = nn.CrossEntropyLoss(ignore_index=0)(scores, tags.flatten())"): False,
    (", padding_value=-100", "loss = nn.CrossEntropyLoss()(scores, tags.flatten())"): False,
    ("", "loss = nn.CrossEntropyLoss(reduction='none')(scores, tags.flatten())"): False,
    ("", "flat = tags.flatten()\nloss = nn.CrossEntropyLoss()(scores[flat > 0], flat[flat > 0])"): False,
}


@pytest.mark.parametrize("form", list(FORMS)[::4])
@pytest.mark.parametrize(("options", "body"), BODIES)
def test_padding_counts_in_a_loss(options: str, body: str, form: str, tmp_path: Path) -> None:
    case = Case("DLL116", IMPORTS, SETUP.format(options), body, ("tags", "scores"))
    assert ("DLL116" in found(FORMS[form](case), tmp_path, ["DLL116"])) is BODIES[options, body]
