"""Digits with a small CNN; writes a submission file of predictions for the held-out part."""
import csv
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 1234


def get_loaders(batch_size):
    digits = load_digits()
    images = torch.tensor(digits.images / 16.0, dtype=torch.float32).unsqueeze(1)
    labels = torch.tensor(digits.target, dtype=torch.long)
    train_idx, test_idx = train_test_split(range(len(labels)), test_size=0.25, random_state=SEED, stratify=labels)
    train = DataLoader(TensorDataset(images[train_idx], labels[train_idx]), batch_size=batch_size, shuffle=True)
    test = DataLoader(TensorDataset(images[test_idx], labels[test_idx]), batch_size=5)
    return train, test


def build_net():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(),
        nn.Flatten(), nn.Dropout(0.4), nn.Linear(32 * 4 * 4, 10),
    )


def fit(net, loader, epochs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
    loss_fn = nn.CrossEntropyLoss()
    net.train()
    for _ in range(epochs):
        for images, labels in loader:
            optimizer.zero_grad(set_to_none=True)
            loss_fn(net(images), labels).backward()
            optimizer.step()


@torch.no_grad()
def predict(net, loader):
    rows = []
    for images, labels in loader:
        guesses = net(images).argmax(dim=1)
        rows.extend(zip(guesses.tolist(), labels.tolist()))
    return rows


def main():
    torch.manual_seed(SEED)
    train_loader, test_loader = get_loaders(64)
    net = build_net()
    fit(net, train_loader, epochs=5)
    rows = predict(net, test_loader)
    with Path("submission.csv").open("w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["id", "label"])
        writer.writerows((i, guess) for i, (guess, _) in enumerate(rows))
    print("held-out accuracy", round(sum(g == t for g, t in rows) / len(rows), 4))


if __name__ == "__main__":
    main()
