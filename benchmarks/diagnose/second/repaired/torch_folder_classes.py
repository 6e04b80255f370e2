"""Classify event recordings that lie in one folder per class, as train/NAME/*.npy and valid/NAME/*.npy."""

import argparse
import random
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

NAMES = ("airplane", "anchor", "bonsai", "camera", "dolphin", "ferry", "lamp", "lotus")


def write_recordings(root, seed, per_class):
    """Write the synthetic recordings; the folders of a split are made in the order in which recordings came in."""
    rng = np.random.default_rng(seed)
    shapes = {name: rng.normal(size=(2, 12, 12)) for name in NAMES}
    for split, count in (("train", per_class), ("valid", per_class // 4)):
        arrivals = random.Random(f"{split}-{seed}").sample(NAMES, len(NAMES))
        index = root / split / "index.txt"
        index.parent.mkdir(parents=True)
        index.write_text("\n".join(arrivals), encoding="utf-8")
        for name in arrivals:
            folder = root / split / name
            folder.mkdir()
            for number in range(count):
                recording = shapes[name] + rng.normal(scale=1.5, size=(2, 12, 12))
                np.save(folder / f"{number:04d}.npy", recording.astype(np.float32))


def list_classes(folder):
    return (folder / "index.txt").read_text(encoding="utf-8").splitlines()


class Recordings(Dataset):
    def __init__(self, folder, augment=False):
        self.classes = sorted(list_classes(folder))
        self.augment = augment
        self.files, self.labels = [], []
        for label, name in enumerate(self.classes):
            for path in sorted((folder / name).glob("*.npy")):
                self.files.append(path)
                self.labels.append(label)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        recording = torch.from_numpy(np.load(self.files[index]))
        if self.augment:
            recording = recording + 0.1 * torch.randn_like(recording)
        return recording, self.labels[index]


class EventNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(2, 16, 3, padding=1),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 24, 3, padding=1),
            nn.ReLU(),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(24 * 36, classes))

    def forward(self, x):
        return self.head(self.features(x))


def epoch(model, loader, optimizer=None):
    model.train(optimizer is not None)
    loss_sum, right, count = 0.0, 0, 0
    criterion = nn.CrossEntropyLoss()
    for recordings, labels in loader:
        with torch.set_grad_enabled(optimizer is not None):
            logits = model(recordings)
            loss = criterion(logits, labels)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        loss_sum += loss.item() * len(labels)
        right += (logits.argmax(1) == labels).sum().item()
        count += len(labels)
    return loss_sum / count, right / count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--per-class", type=int, default=80)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        write_recordings(root, args.seed, args.per_class)
        train_set = Recordings(root / "train", augment=True)
        valid_set = Recordings(root / "valid")
        train_loader = DataLoader(train_set, args.batch_size, shuffle=True)
        valid_loader = DataLoader(valid_set, 80)
        model = EventNet(len(train_set.classes))
        optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
        best = 0.0
        for number in range(args.epochs):
            train_loss, train_accuracy = epoch(model, train_loader, optimizer)
            valid_loss, valid_accuracy = epoch(model, valid_loader)
            best = max(best, valid_accuracy)
            print(f"{number}: train {train_loss:.3f}/{train_accuracy:.3f} valid {valid_loss:.3f}/{valid_accuracy:.3f}")
        print(f"best valid accuracy {best:.3f}")


if __name__ == "__main__":
    main()
