"""A ``training_step`` that returns no loss, in the spellings of Lightning, and steps that are sound without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.frameworks.torch.real_torchvision import real_torchvision

real_torchvision()  # as torchmetrics imports it, and lightning by that
pytest.importorskip("lightning")

PROGRAM = """import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import lightning.pytorch as trainer
{imports}


class Net({base}):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 1)
{setting}
    def shared(self, batch):
        x, y = batch
        return nn.functional.mse_loss(self.fc(x), y)

    def training_step(self, batch, index):
{body}

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)

{more}
net = {cls}()
before = net.fc.weight.detach().clone()
data = DataLoader(TensorDataset(torch.randn(32, 8), torch.randn(32, 1)), 8)
quiet = dict(logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False, accelerator="cpu")
trainer.Trainer(max_epochs=1, **quiet).fit(net, data)
TRAINED = not torch.equal(before, net.fc.weight)
"""
SPELLINGS = {
    "import lightning as L": "L.LightningModule",
    "import lightning.pytorch as pl": "pl.LightningModule",
    "from lightning import LightningModule": "LightningModule",
    "from lightning.pytorch import LightningModule as Base": "Base",
}
SILENT = {
    "a loss that is logged": 'loss = self.shared(batch)\nself.log("loss", loss)',
    "a loss that is bound": "x, y = batch\nloss = nn.functional.mse_loss(self.fc(x), y)",
    "a bare return": "loss = self.shared(batch)\nself.kept = loss.item()\nreturn",
}
SOUND = {
    "returned": ("", "return self.shared(batch)", ""),
    "in a dict": ("", 'return {"loss": self.shared(batch)}', ""),
    "by hand": (
        "        self.automatic_optimization = False\n",
        "first = self.optimizers()\nfirst.zero_grad()\nself.manual_backward(self.shared(batch))\nfirst.step()",
        "",
    ),
    "in a subclass": (
        "",
        "self.shared(batch)\nraise NotImplementedError",
        "class Derived(Net):\n    def training_step(self, batch, index):\n        return self.shared(batch)\n\n",
    ),
}


def program(imports: str, setting: str, body: str, more: str) -> str:
    body = "\n".join(f"        {line}" for line in body.split("\n"))
    cls = "Derived" if more else "Net"
    return PROGRAM.format(imports=imports, base=SPELLINGS[imports], setting=setting, body=body, more=more, cls=cls)


def codes(text: str, folder: Path) -> list[str]:
    (folder / "main.py").write_text(text, encoding="utf-8")
    session = Session(Configuration(isolated=True, overrides={"select": ("DLS111",)}))
    return [finding.code for finding in session.check_file(folder / "main.py").findings]


def trains(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.chdir(folder)
    names: dict[str, object] = {"__name__": "__main__"}
    exec(compile(text, "main.py", "exec"), names)
    return names["TRAINED"] is True


@pytest.mark.parametrize("body", SILENT)
@pytest.mark.parametrize("imports", SPELLINGS)
def test_a_step_without_a_loss_trains_nothing(imports: str, body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = program(imports, "", SILENT[body], "")
    assert codes(text, tmp_path) == ["DLS111"]
    assert not trains(text, tmp_path, monkeypatch)


@pytest.mark.parametrize("name", SOUND)
def test_a_step_that_trains(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = program("import lightning as L", *SOUND[name])
    assert codes(text, tmp_path) == []
    assert trains(text, tmp_path, monkeypatch)
