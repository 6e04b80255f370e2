"""Pre-train on common products, then go on with rare ones: a head for the new classes, lower rate for the body."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIZE = 12


def products(classes, count, patterns_seed, seed, noise):
    """Pictures of products as moved and noisy copies of one pattern for each class."""
    patterns = torch.randn(classes, 1, 4, 4, generator=torch.Generator().manual_seed(patterns_seed))
    patterns = F.interpolate(patterns, size=SIZE, mode="bilinear", align_corners=False)
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(classes, (count,), generator=generator)
    shifts = torch.randint(-1, 2, (count, 2), generator=generator).tolist()
    moved = torch.stack([patterns[label].roll(shift, (1, 2)) for label, shift in zip(labels, shifts, strict=True)])
    return TensorDataset(moved + noise * torch.randn(moved.shape, generator=generator), labels)


class ProductNet(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1),
            nn.BatchNorm2d(2 * width),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(2 * width * 9, 48),
            nn.ReLU(),
        )
        self.head = nn.Linear(48, classes)

    def forward(self, pictures):
        return self.head(self.body(pictures))

    def change_classes(self, classes):
        """A new last layer for other classes; everything before it stays."""
        self.head = nn.Linear(self.head.in_features, classes)


class Session:
    """A stage of training: a model, its optimizer and its loop."""

    def __init__(self, model, body_lr, head_lr):
        self.model = model
        self.optimizer = torch.optim.Adam(
            [
                {"params": model.body.parameters(), "lr": body_lr},
                {"params": model.head.parameters(), "lr": head_lr},
            ]
        )

    def epoch(self, loader):
        self.model.train()
        total = 0.0
        for pictures, labels in loader:
            loss = F.cross_entropy(self.model(pictures), labels)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def accuracy(self, loader):
        self.model.eval()
        hits = [self.model(pictures).argmax(1) == labels for pictures, labels in loader]
        return torch.cat(hits).float().mean().item()

    def run(self, name, train, valid, epochs):
        for epoch in range(epochs):
            loss = self.epoch(train)
            print(f"{name} {epoch}: loss {loss:.4f}, valid accuracy {self.accuracy(valid):.3f}")


def loaders(classes, count, patterns_seed, args):
    train = products(classes, count, patterns_seed, args.seed + 1, args.noise)
    valid = products(classes, 400, patterns_seed, args.seed + 2, args.noise)
    return DataLoader(train, args.batch_size, shuffle=True), DataLoader(valid, 200)


def pretrain(model, args):
    train, valid = loaders(args.common, 1500, 21, args)
    Session(model, args.lr, args.lr).run("common", train, valid, args.epochs)


def fine_tune(model, args):
    train, valid = loaders(args.rare, 600, 22, args)
    session = Session(model, args.lr / 50, args.lr)
    model.change_classes(args.rare)
    session.run("rare", train, valid, args.tuning_epochs)
    return session.accuracy(valid)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--common", type=int, default=20)
    parser.add_argument("--rare", type=int, default=12)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--tuning-epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--noise", type=float, default=0.6)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    model = ProductNet(12, args.common)
    pretrain(model, args)
    print(f"final accuracy of the rare products {fine_tune(model, args):.3f}")


if __name__ == "__main__":
    main()
