"""Find two joints of drawn stick figures (shoulder and hand) with a convolutional network and a visibility mask."""

import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

SIZE = 24
JOINTS = ("shoulder", "hand")


def figure(rng):
    """A bright arm from the shoulder to the hand; the shoulder is marked with a blob. Hands may be hidden."""
    shoulder = rng.uniform(7, SIZE - 7, size=2)
    angle, length = rng.uniform(0, 2 * np.pi), rng.uniform(4, 7)
    hand = shoulder + length * np.array([np.sin(angle), np.cos(angle)])
    rows, columns = np.mgrid[:SIZE, :SIZE]
    picture = rng.normal(scale=0.1, size=(SIZE, SIZE))
    for share in np.linspace(0, 1, 12):
        row, column = (1 - share) * shoulder + share * hand
        picture += 0.35 * np.exp(-((rows - row) ** 2 + (columns - column) ** 2))
    picture += np.exp(-((rows - shoulder[0]) ** 2 + (columns - shoulder[1]) ** 2) / 4)
    visible = np.array([1.0, float(rng.random() > 0.15)])
    return picture, np.stack([shoulder, hand]), visible


class Figures(Dataset):
    def __init__(self, count, seed):
        rng = np.random.default_rng(seed)
        rows = [figure(rng) for _ in range(count)]
        self.pictures = torch.tensor(np.stack([row[0] for row in rows]), dtype=torch.float32).unsqueeze(1)
        joints = torch.tensor(np.stack([row[1] for row in rows]), dtype=torch.float32)
        self.joints = 2 * joints / (SIZE - 1) - 1
        self.visible = torch.tensor(np.stack([row[2] for row in rows]), dtype=torch.float32)

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, index):
        return self.pictures[index], self.joints[index], self.visible[index]


class JointLoss(nn.Module):
    """Squared error of the visible joints."""

    def forward(self, predicted, joints, visible):
        errors = (predicted - joints).square().sum(dim=2)
        return (visible * errors).sum()


class PoseNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 5, stride=2, padding=2),
            nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Flatten(),
        )
        self.head = nn.Sequential(
            nn.Linear(2 * width * (SIZE // 4) ** 2, 64),
            nn.ReLU(),
            nn.Linear(64, 2 * len(JOINTS)),
        )

    def forward(self, pictures):
        return self.head(self.features(pictures)).unflatten(1, (len(JOINTS), 2))


def pixel_error(predicted, joints):
    return (predicted - joints).norm(dim=2) * (SIZE - 1) / 2


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    total = 0.0
    for pictures, joints, visible in loader:
        loss = criterion(model(pictures), joints, visible)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    errors, masks = [], []
    for pictures, joints, visible in loader:
        errors.append(pixel_error(model(pictures), joints))
        masks.append(visible)
    errors, masks = torch.cat(errors), torch.cat(masks)
    return (errors * masks).sum(0) / masks.sum(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.05)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train = DataLoader(Figures(2500, args.seed), args.batch_size, shuffle=True)
    valid = DataLoader(Figures(400, args.seed + 8), 200)
    model = PoseNet(args.width)
    criterion = JointLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, [args.epochs // 2, 3 * args.epochs // 4], gamma=0.3)
    for epoch in range(args.epochs):
        loss = train_epoch(model, train, criterion, optimizer)
        schedule.step()
        errors = ", ".join(f"{name} {error:.2f}" for name, error in zip(JOINTS, evaluate(model, valid), strict=True))
        print(f"epoch {epoch}: loss {loss:.4f}, pixels off: {errors}")
    print(f"final mean error {evaluate(model, valid).mean():.2f} pixels")


if __name__ == "__main__":
    main()
