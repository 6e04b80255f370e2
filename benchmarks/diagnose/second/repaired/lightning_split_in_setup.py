"""Identify plants from few leaf measurements: fit, then test, with one data module."""

import argparse
import logging
import warnings

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
SPECIES = 12


def leaves(count, seed):
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(SPECIES, (count,), generator=generator)
    centres = torch.randn(SPECIES, 30, generator=generator)
    return TensorDataset(0.45 * centres[labels] + torch.randn(count, 30, generator=generator), labels)


class LeafData(L.LightningDataModule):
    def __init__(self, count=600, batch_size=32, shares=(0.7, 0.15, 0.15), seed=0):
        super().__init__()
        self.save_hyperparameters()

    def prepare_data(self):
        self.leaves = leaves(self.hparams.count, self.hparams.seed)

    def setup(self, stage):
        generator = torch.Generator().manual_seed(self.hparams.seed)
        self.train_set, self.valid_set, self.test_set = random_split(self.leaves, self.hparams.shares, generator)

    def train_dataloader(self):
        return DataLoader(self.train_set, self.hparams.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.valid_set, 100)

    def test_dataloader(self):
        return DataLoader(self.test_set, 100)


class LeafNet(L.LightningModule):
    def __init__(self, hidden=128, rate=2e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(
            nn.Linear(30, hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, SPECIES),
        )

    def forward(self, x):
        return self.net(x)

    def _step(self, batch, name):
        x, y = batch
        logits = self(x)
        loss = F.cross_entropy(logits, y)
        self.log(f"{name}_loss", loss, on_epoch=True, on_step=False)
        self.log(f"{name}_acc", (logits.argmax(1) == y).float().mean(), on_epoch=True, on_step=False)
        return loss

    def training_step(self, batch, _):
        return self._step(batch, "train")

    def validation_step(self, batch, _):
        self._step(batch, "val")

    def test_step(self, batch, _):
        self._step(batch, "test")

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.rate)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--count", type=int, default=600)
    args = parser.parse_args()
    L.seed_everything(args.seed)
    data = LeafData(args.count, seed=args.seed)
    trainer = L.Trainer(
        max_epochs=args.epochs,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
    )
    model = LeafNet()
    trainer.fit(model, datamodule=data)
    seen = {name: float(value) for name, value in trainer.callback_metrics.items()}
    trainer.test(model, datamodule=data, verbose=False)
    test = float(trainer.callback_metrics["test_acc"])
    print(f"train {seen['train_acc']:.3f}, validation {seen['val_acc']:.3f}, test {test:.3f}")


if __name__ == "__main__":
    main()
