"""Mark cracks in pictures of a wall with a small U-shaped network (Dice and cross-entropy)."""

import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

SIZE = 32


class Walls(Dataset):
    def __init__(self, count, seed, augment=False):
        rng = np.random.default_rng(seed)
        self.augment = augment
        self.masks = np.zeros((count, 1, SIZE, SIZE), dtype=np.float32)
        for mask in self.masks:
            column = rng.integers(6, SIZE - 6)
            for row in range(SIZE):
                column = int(np.clip(column + rng.integers(-1, 2), 2, SIZE - 3))
                mask[0, row, column - 1 : column + 2] = 1
        light = rng.uniform(0.5, 0.8, size=(count, 1, 1, 1))
        noise = rng.normal(scale=0.12, size=self.masks.shape)
        self.pictures = (light - 0.3 * self.masks + noise).astype(np.float32)

    def __len__(self):
        return len(self.masks)

    def __getitem__(self, index):
        picture, mask = torch.from_numpy(self.pictures[index]), torch.from_numpy(self.masks[index])
        if self.augment and torch.rand(()) < 0.5:
            picture, mask = picture.flip(2), mask.flip(2)
        return picture, mask


def block(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
        nn.Conv2d(outputs, outputs, 3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class SmallUNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down = block(1, width)
        self.middle = block(width, 2 * width)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.join = block(2 * width, width)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, pictures):
        fine = self.down(pictures)
        coarse = self.middle(F.max_pool2d(fine, 2))
        return self.out(self.join(torch.cat([self.up(coarse), fine], dim=1)))


def dice_loss(logits, masks):
    chances = torch.sigmoid(logits)
    overlap = (chances * masks).sum((1, 2, 3))
    return 1 - ((2 * overlap + 1) / (chances.sum((1, 2, 3)) + masks.sum((1, 2, 3)) + 1)).mean()


@torch.no_grad()
def intersection_over_union(model, loader):
    model.eval()
    common = union = 0.0
    for pictures, masks in loader:
        marked = model(pictures) > 0
        common += (marked & (masks > 0.5)).sum().item()
        union += (marked | (masks > 0.5)).sum().item()
    return common / union


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train = DataLoader(Walls(480, args.seed + 1, augment=True), args.batch_size, shuffle=True)
    valid = DataLoader(Walls(120, args.seed + 2), 60)
    model = SmallUNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.lr, total_steps=args.epochs * len(train))
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for pictures, masks in train:
            logits = model(pictures)
            loss = F.binary_cross_entropy_with_logits(logits, masks) + dice_loss(logits, masks)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item()
        score = intersection_over_union(model, valid)
        print(f"epoch {epoch}: loss {total / len(train):.4f}, valid IoU {score:.3f}")


if __name__ == "__main__":
    main()
