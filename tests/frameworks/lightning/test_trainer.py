"""A trainer drives the steps of a module with the batches of its loaders, in whatever way it is given them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

HEAD = """
{library}
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

def rows(count):
    return TensorDataset(torch.randn(count, 20), torch.randint(0, 4, (count,)))

class Data(pl.LightningDataModule):
    def __init__(self, count=64):
        super().__init__()
        self.count = count

    def setup(self, stage=None):
        self.rows = rows(self.count)

    def train_dataloader(self):
        return DataLoader(self.rows, batch_size=8)

    def val_dataloader(self):
        return DataLoader(self.rows, batch_size=16)

    test_dataloader = val_dataloader

class Module(pl.LightningModule):
    def __init__(self, width=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, 4))

{hooks}
    def forward(self, x):
        return self.net(x)

    def {step}(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.cross_entropy(self(x), y)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())

loader = DataLoader(rows(100), batch_size=8)
"""
LIBRARIES = ("import pytorch_lightning as pl", "import lightning as pl", "import lightning.pytorch as pl")
#: Calls, and the step that they drive.
CALLS = (
    ("trainer = pl.Trainer(max_epochs=2)\ntrainer.fit({module}, loader)\n", "training_step"),
    ("pl.Trainer().fit(train_dataloaders=loader, model={module})\n", "training_step"),
    ("pl.Trainer().fit({module}, val_dataloaders=loader)\n", "validation_step"),
    ("def main():\n    module = {module}\n    pl.Trainer().fit(module, datamodule=Data())\nmain()\n", "training_step"),
    ("pl.Trainer().fit({module}, datamodule=Data(32))\n", "validation_step"),
    ("pl.Trainer().validate({module}, loader)\n", "validation_step"),
    ("pl.Trainer().test(model={module}, dataloaders=loader)\n", "test_step"),
    ("pl.Trainer().test({module}, datamodule=Data())\n", "test_step"),
    ("pl.Trainer().predict({module}, loader)\n", "predict_step"),
)
CASES = list(product(LIBRARIES, CALLS))


def codes(path: Path, library: str, step: str, call: str, hooks: str = "") -> list[str]:
    """The rules of errors and warnings about a program."""
    path.write_text(HEAD.format(library=library, step=step, hooks=hooks) + call)
    found = Session(Configuration(isolated=True)).check_file(path).findings
    return [finding.code for finding in found if finding.code.startswith("DLT")]


@pytest.mark.parametrize(("library", "case"), CASES)
def test_steps_get_the_batches_of_the_loader(tmp_path: Path, library: str, case: tuple[str, str]) -> None:
    call, step = case
    assert codes(tmp_path / "train.py", library, step, call.format(module="Module(24)")) == ["DLT101"]


@pytest.mark.parametrize(("library", "case"), CASES)
def test_nothing_is_wrong_with_the_right_width(tmp_path: Path, library: str, case: tuple[str, str]) -> None:
    call, step = case
    assert codes(tmp_path / "train.py", library, step, call.format(module="Module(20)")) == []


@pytest.mark.parametrize(
    "hooks",
    [
        "    def on_after_batch_transfer(self, batch, index):\n        return batch[0].repeat(1, 2)[:, :24], batch[1]\n",
        "    def transfer_batch_to_device(self, batch, device, index):\n        return unknown(batch)\n",
        "    def setup(self, stage):\n        self.net = nn.Linear(20, 4)\n",
        "    def on_fit_start(self):\n        self.net = nn.Linear(20, 4)\n",
    ],
)
def test_what_comes_before_a_step_counts(tmp_path: Path, hooks: str) -> None:
    call = "pl.Trainer().fit(Module(24), loader)\n"
    assert codes(tmp_path / "train.py", LIBRARIES[0], "training_step", call, hooks) == []
