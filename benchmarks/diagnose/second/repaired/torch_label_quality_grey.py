"""Judge the print of medicine labels in grey pictures (good, smeared, shifted or torn)."""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

DEFECTS = ("good", "smeared", "shifted", "torn")
SIZE = 24
GREY_MEAN, GREY_STD = 168.4 / 255, 51.3 / 255


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, picture):
        for step in self.steps:
            picture = step(picture)
        return picture


class ToFloat:
    """Bytes of a picture as a tensor with a channel axis."""

    def __call__(self, picture):
        return torch.from_numpy(picture).unsqueeze(0).float() / 255


class Standardise:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, picture):
        return (picture - self.mean) / self.std


class RandomMirror:
    def __init__(self, share):
        self.share = share

    def __call__(self, picture):
        return picture.flip(2) if torch.rand(()) < self.share else picture


def draw(defect, rng):
    """A light label with dark bars, printed with one of the defects."""
    picture = np.full((SIZE, SIZE), rng.uniform(190, 225))
    bars = np.zeros((SIZE, SIZE), dtype=bool)
    first = 3 + (3 if defect == "shifted" else 0)
    bars[first : first + 16 : 4, 4:20] = True
    bars[first + 1 : first + 17 : 4, 4:20] = True
    ink = np.where(bars, rng.uniform(90, 130), 0.0)
    if defect == "smeared":
        ink = sum(np.roll(ink, step, axis=0) for step in range(4)) / 4
    picture = picture - ink
    if defect == "torn":
        corner = rng.integers(6, 11)
        rows, columns = np.mgrid[:SIZE, :SIZE]
        picture[rows + columns < corner] = rng.uniform(30, 70)
    return np.clip(picture + rng.normal(scale=22, size=picture.shape), 0, 255).astype("uint8")


class Labels(Dataset):
    def __init__(self, count, seed, transform):
        rng = np.random.default_rng(seed)
        self.targets = rng.integers(0, len(DEFECTS), size=count)
        self.pictures = [draw(DEFECTS[target], rng) for target in self.targets]
        self.transform = transform

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, index):
        return self.transform(self.pictures[index]), int(self.targets[index])


def make_loaders(args):
    common = (ToFloat(), Standardise(GREY_MEAN, GREY_STD))
    train = Labels(1200, args.seed, Compose(*common, RandomMirror(0.5)))
    valid = Labels(400, args.seed + 1, Compose(*common))
    return DataLoader(train, args.batch_size, shuffle=True), DataLoader(valid, 200)


class LabelNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Flatten(),
        )
        self.head = nn.Linear(2 * width * (SIZE // 4) ** 2, len(DEFECTS))

    def forward(self, pictures):
        return self.head(self.body(pictures))


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    total = 0.0
    for pictures, targets in loader:
        loss = criterion(model(pictures), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = torch.cat([model(pictures).argmax(1) == targets for pictures, targets in loader])
    return hits.float().mean().item()


def main():
    parser = argparse.ArgumentParser(prog=Path(__file__).stem)
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--width", type=int, default=8)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train, valid = make_loaders(args)
    model = LabelNet(args.width)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        loss = train_one_epoch(model, train, criterion, optimizer)
        print(f"epoch {epoch}: loss {loss:.4f}, valid accuracy {accuracy(model, valid):.3f}")
    print(f"final valid accuracy {accuracy(model, valid):.3f}")


if __name__ == "__main__":
    main()
