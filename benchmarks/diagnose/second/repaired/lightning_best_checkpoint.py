"""Predict the remaining life of bearings; test with the best checkpoint."""

import argparse
import logging
import tempfile
import warnings

import lightning as L
import torch
import torch.nn.functional as F
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


def bearings(count, seed):
    """Vibration that grows with wear; the target is the share of life that is left."""
    generator = torch.Generator().manual_seed(seed)
    life = torch.rand(count, generator=generator)
    t = torch.arange(64) / 64
    wear = (1 - life).unsqueeze(1)
    load = 0.5 + torch.rand(count, 1, generator=generator)
    hum = load * torch.sin(6.28 * 5 * t + 6.28 * torch.rand(count, 1, generator=generator))
    knocks = wear**2 * 2.5 * (torch.rand(count, 64, generator=generator) < 0.15)
    noise = (0.1 + 0.3 * wear) * torch.randn(count, 64, generator=generator)
    return TensorDataset((hum + knocks + noise).unsqueeze(1), life)


class LifeNet(L.LightningModule):
    def __init__(self, width, rate):
        super().__init__()
        self.save_hyperparameters()
        self.conv = nn.Sequential(
            nn.Conv1d(1, width, 5, padding=2),
            nn.ReLU(),
            nn.Conv1d(width, width, 5, padding=2),
            nn.ReLU(),
            nn.AdaptiveAvgPool1d(4),
            nn.Flatten(),
        )
        self.out = nn.Sequential(nn.Linear(4 * width, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.out(self.conv(x)).squeeze(1)

    def training_step(self, batch, _):
        x, life = batch
        return F.mse_loss(self(x), life)

    def validation_step(self, batch, _):
        x, life = batch
        self.log("val_loss", F.mse_loss(self(x), life), prog_bar=True)

    def test_step(self, batch, _):
        x, life = batch
        self.log("test_loss", F.mse_loss(self(x), life))

    def on_validation_epoch_end(self):
        print(f"epoch {self.current_epoch}: val loss {self.trainer.callback_metrics['val_loss']:.4f}")

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.rate)


def build_callbacks(folder, patience):
    best = ModelCheckpoint(
        dirpath=folder,
        filename="best_model",
        monitor="val_loss",
        mode="min",
        save_top_k=1,
    )
    stop = EarlyStopping(monitor="val_loss", patience=patience, mode="min")
    return [best, stop]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--patience", type=int, default=5)
    parser.add_argument("--width", type=int, default=12)
    parser.add_argument("--rate", type=float, default=2e-3)
    args = parser.parse_args()
    L.seed_everything(args.seed)
    loaders = [
        DataLoader(bearings(size, seed), args.batch_size, shuffle=seed == 1) for size, seed in ((1500, 1), (400, 2), (400, 3))
    ]
    with tempfile.TemporaryDirectory() as folder:
        trainer = L.Trainer(
            max_epochs=args.epochs,
            accelerator="cpu",
            logger=False,
            callbacks=build_callbacks(folder, args.patience),
            enable_progress_bar=False,
            enable_model_summary=False,
            num_sanity_val_steps=0,
        )
        model = LifeNet(args.width, args.rate)
        trainer.fit(model, loaders[0], loaders[1])
        last = float(trainer.callback_metrics["val_loss"])
        results = trainer.test(model, loaders[2], ckpt_path="best", weights_only=False, verbose=False)
    print(f"last validation loss {last:.4f}, test loss of the best checkpoint {results[0]['test_loss']:.4f}")


if __name__ == "__main__":
    main()
