"""Loaders that drop their only batch, because they have fewer samples than a batch needs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset

from tests.rules.training.variants import FORMS, Case, found

IMPORTS: Final = "import torch\nfrom torch import utils"
SETUPS: Final = {
    "tensors": "data = utils.data.TensorDataset(torch.randn(100, 8), torch.randn(100, 1))",
    "own": "class Rows(utils.data.Dataset):\n    def __len__(self):\n        return 100\n\n    def __getitem__(self, i):\n"
    "        return torch.ones(8), torch.ones(1)\n\n\ndata = Rows()",
    "part": "rows = utils.data.TensorDataset(torch.randn(150, 8), torch.randn(150, 1))\n"
    "data, rest = utils.data.random_split(rows, [100, 50])",
}
LOOP: Final = "loader = utils.data.DataLoader(data, {given})\nfor x, y in loader:\n    print(x.mean(), y.mean())"


def is_told(given: str, form: str, folder: Path, setup: str = SETUPS["tensors"]) -> bool:
    return bool(found(FORMS[form](Case("DLD118", IMPORTS, setup, LOOP.format(given=given), ("data",))), folder, ("DLD118",)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("setup", SETUPS)
def test_the_only_batch_is_dropped(setup: str, form: str, tmp_path: Path) -> None:
    assert is_told("batch_size=128, shuffle=True, drop_last=True", form, tmp_path, SETUPS[setup])
    assert not is_told("batch_size=100, drop_last=True", form, tmp_path, SETUPS[setup])


@pytest.mark.parametrize(
    "given",
    [
        "batch_size=128",
        "batch_size=64, drop_last=True",
        "batch_size=128, drop_last=len(data) > 128",
        "batch_size=128, drop_last=True, sampler=torch.utils.data.RandomSampler(data, replacement=True, num_samples=256)",
    ],
)
def test_loaders_with_batches(given: str, tmp_path: Path) -> None:
    data = TensorDataset(torch.randn(100, 8), torch.randn(100, 1))
    assert len(list(eval(f"DataLoader(data, {given})", {"DataLoader": DataLoader, "data": data, "torch": torch}))) > 0
    assert not is_told(given, "plain", tmp_path)
