"""Segmentation of round cells in microscope-like pictures with a small U-Net."""

import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


def render_slide(rng, size=32):
    """A grey picture and the mask of its cells, both as 8-bit images as they would lie on disk."""
    ys, xs = np.mgrid[:size, :size]
    picture = rng.normal(90, 18, size=(size, size))
    mask = np.zeros((size, size), dtype=np.uint8)
    for _ in range(rng.integers(2, 5)):
        cy, cx = rng.integers(4, size - 4, 2)
        inside = (ys - cy) ** 2 + (xs - cx) ** 2 <= rng.integers(3, 6) ** 2
        picture[inside] += 60
        mask[inside] = 255
    return picture.clip(0, 255).astype(np.uint8), mask


class SlideDataset(Dataset):
    def __init__(self, count, seed, augment):
        rng = np.random.default_rng(seed)
        self.slides = [render_slide(rng) for _ in range(count)]
        self.augment = augment

    def __len__(self):
        return len(self.slides)

    def __getitem__(self, index):
        picture, mask = self.slides[index]
        image = torch.from_numpy(picture).float().unsqueeze(0) / 255.0
        target = torch.from_numpy(mask).float().unsqueeze(0)
        if self.augment and torch.rand(1).item() < 0.5:
            image, target = image.flip(-1), target.flip(-1)
        return (image - 0.4) / 0.15, target


def double_conv(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
        nn.Conv2d(outputs, outputs, 3, padding=1),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class SmallUNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down1 = double_conv(1, width)
        self.down2 = double_conv(width, 2 * width)
        self.middle = double_conv(2 * width, 4 * width)
        self.up2 = nn.ConvTranspose2d(4 * width, 2 * width, 2, stride=2)
        self.merge2 = double_conv(4 * width, 2 * width)
        self.up1 = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.merge1 = double_conv(2 * width, width)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        first = self.down1(x)
        second = self.down2(F.max_pool2d(first, 2))
        middle = self.middle(F.max_pool2d(second, 2))
        x = self.merge2(torch.cat([self.up2(middle), second], dim=1))
        x = self.merge1(torch.cat([self.up1(x), first], dim=1))
        return self.out(x)


@torch.no_grad()
def dice(model, loader):
    model.eval()
    overlap, area = 0.0, 0.0
    for images, targets in loader:
        predicted = (model(images).sigmoid() > 0.5).float()
        truth = (targets > 0).float()
        overlap += 2 * (predicted * truth).sum().item()
        area += (predicted.sum() + truth.sum()).item()
    return overlap / max(area, 1e-6)


def train(args):
    torch.manual_seed(args.seed)
    train_loader = DataLoader(SlideDataset(300, args.seed, True), args.batch_size, shuffle=True)
    valid_loader = DataLoader(SlideDataset(80, args.seed + 1, False), 40)
    net = SmallUNet(args.width)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.RMSprop(net.parameters(), lr=args.lr, weight_decay=1e-8, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, "max", patience=3)
    for epoch in range(1, args.epochs + 1):
        net.train()
        epoch_loss = 0.0
        for images, targets in train_loader:
            loss = criterion(net(images), targets)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_value_(net.parameters(), 0.1)
            optimizer.step()
            epoch_loss += loss.item()
        score = dice(net, valid_loader)
        scheduler.step(score)
        print(f"epoch {epoch}: loss {epoch_loss / len(train_loader):.4f}, validation dice {score:.3f}")
    print(f"final dice {score:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train the U-Net on images and target masks")
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", "-e", type=int, default=5)
    parser.add_argument("--batch-size", "-b", type=int, default=15)
    parser.add_argument("--lr", "-l", type=float, default=1e-3)
    parser.add_argument("--width", type=int, default=8)
    train(parser.parse_args())
