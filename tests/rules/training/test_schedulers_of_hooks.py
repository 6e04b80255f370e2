"""Schedulers that the hook of a Lightning module makes are told where they are not given to the trainer."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

MODULE = """import torch
{imports}
from torch import nn


class Classifier({base}):
    def __init__(self, rate=0.1):
        super().__init__()
        self.layer, self.rate = nn.Linear(8, 2), rate

    def training_step(self, batch, number):
        x, y = batch
        return nn.functional.cross_entropy(self.layer(x), y)

    def configure_optimizers(self):
        {optimizer} = torch.optim.Adam(self.parameters(), lr=self.rate)
        {scheduler} = {made}
        {end}
"""
BASES = {"lightning.LightningModule": "import lightning", "pl.LightningModule": "import pytorch_lightning as pl"}
MADE = ("torch.optim.lr_scheduler.StepLR({optimizer}, 10)", "torch.optim.lr_scheduler.ReduceLROnPlateau({optimizer}, 'min')")
#: What the hook does behind it → whether the scheduler is lost.
ENDS = {
    "return {optimizer}": True,
    "return [{optimizer}]": True,
    "return {{'optimizer': {optimizer}}}": True,
    "return [{optimizer}], [{scheduler}]": False,
    "return {{'optimizer': {optimizer}, 'lr_scheduler': {scheduler}}}": False,
    "return {{'optimizer': {optimizer}, 'lr_scheduler': {{'scheduler': {scheduler}, 'monitor': 'loss'}}}}": False,
    "self.slower = {scheduler}\n        return {optimizer}": False,
    "register({scheduler})\n        return {optimizer}": False,
}
FIT = """

loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 8), torch.zeros(64).long()), 8)
lightning.Trainer(max_epochs=3).fit(Classifier(), loader)
"""


@pytest.mark.parametrize(("base", "names"), list(product(BASES, [("optimizer", "scheduler"), ("opt", "slower")])))
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("end", ENDS)
def test_what_a_hook_returns(end: str, made: str, base: str, names: tuple[str, str], tmp_path: Path) -> None:
    named = dict(zip(("optimizer", "scheduler"), names, strict=True))
    text = MODULE.format(imports=BASES[base], base=base, made=made.format(**named), end=end.format(**named), **named)
    for fit in ("", f"\n\nimport lightning\n{FIT}"):
        assert ("DLO112" in found({MAIN: text + fit}, tmp_path)) is ENDS[end], text


@pytest.mark.parametrize("made", ["get_linear_schedule_with_warmup({}, 10, 100)", "get_scheduler('linear', {}, 10, 100)"])
@pytest.mark.parametrize(("end", "is_lost"), [("return {}", True), ("return [{}], [scheduler]", False)])
def test_schedules_of_other_libraries(end: str, is_lost: bool, made: str, tmp_path: Path) -> None:
    texts = {"optimizer": "optimizer", "made": f"transformers.{made.format('optimizer')}", "end": end.format("optimizer")}
    imports = "import lightning\nimport transformers"
    text = MODULE.format(imports=imports, base="lightning.LightningModule", scheduler="scheduler", **texts)
    assert ("DLO112" in found({MAIN: text}, tmp_path)) is is_lost


OF_BATCHES = (
    "torch.optim.lr_scheduler.OneCycleLR({optimizer}, 0.1, steps_per_epoch=self.steps, epochs=3)",
    "torch.optim.lr_scheduler.OneCycleLR({optimizer}, 0.1, total_steps=self.trainer.estimated_stepping_batches)",
    "torch.optim.lr_scheduler.CosineAnnealingLR({optimizer}, T_max=3 * len(self.trainer.train_dataloader))",
)
#: What the hook gives to the trainer → whether that steps once per epoch what counts batches.
GIVEN = {
    "return [{optimizer}], [{scheduler}]": True,
    "return {{'optimizer': {optimizer}, 'lr_scheduler': {scheduler}}}": True,
    "return {{'optimizer': {optimizer}, 'lr_scheduler': {{'scheduler': {scheduler}, 'frequency': 1}}}}": True,
    "unit = {{'scheduler': {scheduler}}}\n        return [{optimizer}], [unit]": True,
    "return [{optimizer}], [{{'scheduler': {scheduler}, 'interval': 'step'}}]": False,
    "return [{optimizer}], [stepwise({scheduler})]": False,
    "self.schedule = {scheduler}\n        return [{optimizer}], [{scheduler}]": False,
}


#: What the module says beside it, or does itself.
STEPPED = (
    "    def on_train_batch_end(self, *given):\n        self.lr_schedulers().step()\n",
    "    automatic_optimization = False\n",
)
EPOCHS = ("OneCycleLR({}, 0.1, steps_per_epoch=1, epochs=9)", "StepLR({}, 10)", "CosineAnnealingLR({}, 9)")


@pytest.mark.parametrize(("made", "number"), [(made, number) for number, made in enumerate(OF_BATCHES)])
@pytest.mark.parametrize("given", GIVEN)
def test_schedules_of_batches_that_a_trainer_steps_once_per_epoch(given: str, made: str, number: int, tmp_path: Path) -> None:
    base, imports = list(BASES.items())[number % len(BASES)]
    named = {"optimizer": ("opt", "optimizer")[number % 2], "scheduler": ("sched", "slower")[number % 2]}
    text = MODULE.format(imports=imports, base=base, made=made.format(**named), end=given.format(**named), **named)
    assert ("DLO112" in found({MAIN: text}, tmp_path)) is GIVEN[given], text
    for sound in STEPPED:
        assert found({MAIN: f"{text}\n{sound}"}, tmp_path, ["DLO112"]) == []


@pytest.mark.parametrize("made", EPOCHS)
def test_schedules_of_epochs_in_hooks(made: str, tmp_path: Path) -> None:
    texts = {"imports": "import lightning", "base": "lightning.LightningModule", "end": "return [optimizer], [slower]"}
    made = f"torch.optim.lr_scheduler.{made.format('optimizer')}"
    assert (
        found({MAIN: MODULE.format(made=made, optimizer="optimizer", scheduler="slower", **texts)}, tmp_path, ["DLO112"]) == []
    )
