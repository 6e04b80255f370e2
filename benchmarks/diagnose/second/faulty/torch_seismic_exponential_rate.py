"""Tell earthquakes from quarry blasts and wind in short seismograms, with a trainer class and a falling rate."""

import argparse
import json

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EVENTS = ("earthquake", "blast", "wind")
SAMPLES = 120


def seismogram(event, rng):
    time = np.arange(SAMPLES)
    noise = rng.normal(scale=0.5, size=SAMPLES)
    if event == "wind":
        return noise + np.convolve(rng.normal(size=SAMPLES), np.ones(9) / 4, mode="same")
    start = rng.integers(5, 40)
    after = np.clip(time - start, 0, None)
    decay = np.exp(-after / (25 if event == "earthquake" else 9)) * (time >= start)
    wave = np.sin(0.9 * after + rng.uniform(0, 6)) * decay * rng.uniform(1.2, 2.2)
    if event == "earthquake":
        second = np.clip(time - start - rng.integers(20, 35), 0, None)
        wave = wave + 1.5 * np.sin(0.5 * second) * np.exp(-second / 15) * (second > 0)
    return noise + wave


def catalogue(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(EVENTS), count)
    signals = np.stack([seismogram(EVENTS[label], rng) for label in labels])
    signals = signals / np.abs(signals).max(axis=1, keepdims=True)
    return TensorDataset(torch.tensor(signals, dtype=torch.float32).unsqueeze(1), torch.tensor(labels))


class SeismicNet(nn.Module):
    def __init__(self, width, dropout):
        super().__init__()
        self.blocks = nn.ModuleList(
            [
                nn.Conv1d(1, width, 9, stride=2, padding=4),
                nn.Conv1d(width, width, 9, stride=2, padding=4),
                nn.Conv1d(width, 2 * width, 5, stride=2, padding=2),
            ]
        )
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(2 * width * 15, len(EVENTS))

    def forward(self, x):
        for block in self.blocks:
            x = F.relu(block(x))
        return self.head(self.dropout(x.flatten(1)))


class Trainer:
    """Owns the optimizer and its schedule; calls its hooks at fixed points of the loop."""

    def __init__(self, model, config):
        self.model, self.config = model, config
        self.optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"], momentum=config["momentum"])
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=config["gamma"])
        self.history = []

    def training_step(self, batch):
        signals, labels = batch
        loss = F.cross_entropy(self.model(signals), labels)
        self.optimizer.zero_grad()
        loss.backward()
        return loss.item()

    def after_backward(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config["max_norm"])
        self.optimizer.step()
        self.scheduler.step()

    def after_epoch(self, epoch, losses, valid):
        score = self.evaluate(valid)
        self.history.append({"epoch": epoch, "loss": sum(losses) / len(losses), "valid accuracy": score})
        row = self.history[-1]
        print(f"epoch {epoch}: loss {row['loss']:.4f}, valid accuracy {row['valid accuracy']:.3f}")

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        hits = [self.model(signals).argmax(1) == labels for signals, labels in loader]
        return torch.cat(hits).float().mean().item()

    def fit(self, train, valid):
        for epoch in range(self.config["epochs"]):
            self.model.train()
            losses = []
            for batch in train:
                losses.append(self.training_step(batch))
                self.after_backward()
            self.after_epoch(epoch, losses, valid)
        return self.history[-1]


DEFAULTS = {
    "lr": 0.02,
    "momentum": 0.9,
    "gamma": 0.85,
    "max_norm": 5.0,
    "epochs": 8,
    "batch_size": 32,
    "width": 12,
    "dropout": 0.2,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--config", default="{}", help="settings in JSON that replace the usual ones")
    args = parser.parse_args()
    config = {**DEFAULTS, **json.loads(args.config)}
    torch.manual_seed(args.seed)
    train = DataLoader(catalogue(1600, args.seed), config["batch_size"], shuffle=True)
    valid = DataLoader(catalogue(500, args.seed + 77), 250)
    trainer = Trainer(SeismicNet(config["width"], config["dropout"]), config)
    last = trainer.fit(train, valid)
    print(f"final loss {last['loss']:.4f}, valid accuracy {last['valid accuracy']:.3f}")


if __name__ == "__main__":
    main()
