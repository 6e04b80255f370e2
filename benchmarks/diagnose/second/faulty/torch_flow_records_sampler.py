"""Classify network flow records into benign traffic and two kinds of attacks."""

import argparse
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

CLASSES = ("benign", "scan", "flood")
SHARES = (0.80, 0.14, 0.06)


@dataclass
class Split:
    features: torch.Tensor
    labels: torch.Tensor

    def __len__(self):
        return len(self.labels)

    def dataset(self):
        return TensorDataset(self.features, self.labels)


def synthesize(count, rng, profiles):
    labels = rng.choice(len(CLASSES), size=count, p=SHARES)
    features = profiles[labels] + rng.normal(scale=1.0, size=(count, profiles.shape[1]))
    features[:, 0] = np.abs(features[:, 0]) ** 1.5
    return Split(torch.tensor(features, dtype=torch.float32), torch.tensor(labels))


def standardize(train, *others):
    mean, std = train.features.mean(0), train.features.std(0)
    for split in (train, *others):
        split.features = (split.features - mean) / (std + 1e-6)


def class_weights(labels):
    counts = torch.bincount(labels, minlength=len(CLASSES)).double()
    return counts.sum() / (len(CLASSES) * counts)


def make_loaders(train, valid, batch_size, balanced):
    sampler = None
    if balanced:
        weights = class_weights(train.labels)
        sampler = WeightedRandomSampler(weights, num_samples=len(train), replacement=True)
    train_loader = DataLoader(train.dataset(), batch_size=batch_size, sampler=sampler, shuffle=sampler is None)
    valid_loader = DataLoader(valid.dataset(), batch_size=512)
    return train_loader, valid_loader


class FlowNet(nn.Module):
    def __init__(self, inputs, hidden, classes, dropout):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(inputs, hidden),
            nn.BatchNorm1d(hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
        )
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.head(self.body(x))


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n=1):
        self.total += value * n
        self.count += n

    @property
    def average(self):
        return self.total / max(self.count, 1)


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    meter = Meter()
    for features, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(features), labels)
        loss.backward()
        optimizer.step()
        meter.update(loss.item(), len(labels))
    return meter.average


@torch.no_grad()
def balanced_accuracy(model, loader):
    model.eval()
    hits, seen = torch.zeros(len(CLASSES)), torch.zeros(len(CLASSES))
    for features, labels in loader:
        predicted = model(features).argmax(1)
        for index in range(len(CLASSES)):
            mask = labels == index
            seen[index] += mask.sum()
            hits[index] += (predicted[mask] == index).sum()
    return (hits / seen).mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--hidden", type=int, default=48)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--no-balance", dest="balanced", action="store_false")
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    profiles = rng.normal(scale=1.1, size=(len(CLASSES), 12))
    train, valid = synthesize(4000, rng, profiles), synthesize(1500, rng, profiles)
    standardize(train, valid)
    train_loader, valid_loader = make_loaders(train, valid, args.batch_size, args.balanced)

    model = FlowNet(train.features.shape[1], args.hidden, len(CLASSES), args.dropout)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-4)
    for epoch in range(args.epochs):
        loss = train_one_epoch(model, train_loader, criterion, optimizer)
        score = balanced_accuracy(model, valid_loader)
        print(f"epoch {epoch + 1}: train loss {loss:.4f}, balanced accuracy {score:.3f}")
    print(f"final balanced accuracy {score:.3f}")


if __name__ == "__main__":
    main()
