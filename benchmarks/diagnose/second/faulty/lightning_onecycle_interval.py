"""Classify accelerometer windows into activities with Lightning and a one-cycle schedule."""

import argparse
import logging
import warnings

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
ACTIVITIES = ("sit", "walk", "run", "stairs", "cycle")


def windows(count, seed):
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(len(ACTIVITIES), (count,), generator=generator)
    t = torch.arange(50) / 50
    speed = torch.tensor([0.0, 2.0, 4.5, 3.0, 6.0])[labels].unsqueeze(1)
    strength = torch.tensor([0.0, 1.0, 2.0, 1.3, 0.8])[labels].unsqueeze(1)
    phase = 6.28 * torch.rand(count, 1, generator=generator)
    vertical = strength * torch.sin(6.28 * speed * t + phase)
    forward = 0.5 * strength * torch.cos(6.28 * 2 * speed * t + phase)
    tilt = 0.3 * labels.unsqueeze(1) * torch.ones_like(t)
    signal = torch.stack([vertical, forward, tilt], dim=1)
    return TensorDataset(signal + 0.9 * torch.randn(count, 3, 50, generator=generator), labels)


class ActivityData(L.LightningDataModule):
    def __init__(self, batch_size):
        super().__init__()
        self.batch_size = batch_size

    def setup(self, stage):
        self.train_set, self.valid_set = windows(1500, 1), windows(400, 2)

    def train_dataloader(self):
        return DataLoader(self.train_set, self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.valid_set, 200)


class ActivityNet(L.LightningModule):
    def __init__(self, width=16, max_lr=0.05, weight_decay=1e-4, batches=30):
        super().__init__()
        self.save_hyperparameters()
        self.features = nn.Sequential(
            nn.Conv1d(3, width, 5, padding=2),
            nn.ReLU(),
            nn.MaxPool1d(2),
            nn.Conv1d(width, 2 * width, 5, padding=2),
            nn.ReLU(),
            nn.AdaptiveAvgPool1d(5),
            nn.Flatten(),
        )
        self.head = nn.Linear(10 * width, len(ACTIVITIES))
        self.scores = []

    def forward(self, x):
        return self.head(self.features(x))

    def training_step(self, batch, _):
        signals, labels = batch
        loss = F.cross_entropy(self(signals), labels)
        self.log("train_loss", loss, on_epoch=True, on_step=False)
        return loss

    def validation_step(self, batch, _):
        signals, labels = batch
        logits = self(signals)
        self.log("val_loss", F.cross_entropy(logits, labels))
        self.log("val_acc", (logits.argmax(1) == labels).float().mean())

    def on_validation_epoch_end(self):
        metrics = self.trainer.callback_metrics
        if not self.trainer.sanity_checking:
            print(f"epoch {self.current_epoch}: val loss {metrics['val_loss']:.4f}, accuracy {metrics['val_acc']:.3f}")

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(
            self.parameters(), lr=self.hparams.max_lr, momentum=0.9, weight_decay=self.hparams.weight_decay
        )
        scheduler = torch.optim.lr_scheduler.OneCycleLR(
            optimizer,
            max_lr=self.hparams.max_lr,
            epochs=self.trainer.max_epochs,
            steps_per_epoch=self.hparams.batches,
            pct_start=0.3,
            div_factor=100.0,
        )
        return {"optimizer": optimizer, "lr_scheduler": scheduler, "interval": "step"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--max-lr", type=float, default=0.05)
    args = parser.parse_args()
    L.seed_everything(args.seed)
    trainer = L.Trainer(
        max_epochs=args.epochs,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    model = ActivityNet(max_lr=args.max_lr, batches=1500 // args.batch_size)
    trainer.fit(model, datamodule=ActivityData(args.batch_size))
    print(f"final accuracy {trainer.callback_metrics['val_acc']:.3f}")


if __name__ == "__main__":
    main()
