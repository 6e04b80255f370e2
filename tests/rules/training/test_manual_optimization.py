"""Modules of Lightning that optimize by hand clear gradients themselves; those that do, or leave it to Lightning, are sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

MODULE = """{imports}
import torch
from torch import nn


class {name}({base}):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = {automatic}
        self.net = nn.Linear(8, 2)

    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        {before}
        loss = nn.functional.cross_entropy(self.net(batch[0]), batch[1])
        {backward}
        {after}
        optimizer.step()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)
"""
IMPORTS = {
    "import lightning.pytorch as pl": "pl.LightningModule",
    "import pytorch_lightning": "pytorch_lightning.LightningModule",
    "from lightning import LightningModule": "LightningModule",
}
MANUAL = "self.manual_backward(loss)"


def _text(imports: str, automatic: str = "False", before: str = "pass", backward: str = MANUAL, after: str = "pass") -> str:
    return MODULE.format(
        imports=imports, base=IMPORTS[imports], name="Net", automatic=automatic, before=before, backward=backward, after=after
    )


@pytest.mark.parametrize("after", ["pass", "self.log('loss', loss)", "nn.utils.clip_grad_norm_(self.parameters(), 1.0)"])
@pytest.mark.parametrize("imports", IMPORTS)
def test_gradients_that_nothing_clears(imports: str, after: str, tmp_path: Path) -> None:
    assert "DLO101" in found({MAIN: _text(imports, after=after)}, tmp_path)


@pytest.mark.parametrize(
    "changed",
    [
        {"before": "optimizer.zero_grad()"},
        {"after": "optimizer.step()\n        optimizer.zero_grad()\n        return"},
        {"automatic": "True"},
        {"before": "self.toggle_optimizer(optimizer)"},
    ],
)
@pytest.mark.parametrize("imports", IMPORTS)
def test_gradients_that_are_cleared(imports: str, changed: dict[str, str], tmp_path: Path) -> None:
    assert "DLO101" not in found({MAIN: _text(imports, **changed)}, tmp_path)
