"""Train a small residual network on synthetic shapes with the one-cycle policy."""

import argparse
import logging
import sys

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
log = logging.getLogger("shapes")


def draw(count, generator):
    """Circles, squares, crosses and rings of random size and place on a noisy ground."""
    size = 20
    ys, xs = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    labels = torch.randint(4, (count,), generator=generator)
    images = 0.5 * torch.randn(count, 1, size, size, generator=generator)
    for index, label in enumerate(labels.tolist()):
        cy, cx = torch.randint(6, 14, (2,), generator=generator).tolist()
        radius = int(torch.randint(3, 6, (1,), generator=generator))
        dy, dx = (ys - cy).abs(), (xs - cx).abs()
        distance = (dy.float() ** 2 + dx.float() ** 2).sqrt()
        masks = (
            distance <= radius,
            torch.maximum(dy, dx) <= radius,
            (torch.minimum(dy, dx) <= 1) & (torch.maximum(dy, dx) <= radius),
            (distance <= radius) & (distance >= radius - 1.5),
        )
        images[index, 0][masks[label]] += 1.0
    return TensorDataset(images, labels)


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = nn.Conv2d(inputs, outputs, 1, stride, bias=False) if stride != 1 or inputs != outputs else nn.Identity()

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(y)) + self.skip(x))


class ShapeNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stem = nn.Conv2d(1, width, 3, padding=1)
        self.blocks = nn.Sequential(Block(width, width), Block(width, 2 * width, 2), Block(2 * width, 2 * width, 2))
        self.fc = nn.Linear(2 * width, 4)
        nn.init.normal_(self.fc.weight, std=0.01)
        nn.init.zeros_(self.fc.bias)

    def forward(self, x):
        x = self.blocks(F.relu(self.stem(x)))
        return self.fc(x.mean((2, 3)))


def train(args, model, loader, optimizer, scheduler, epoch):
    model.train()
    for step, (images, labels) in enumerate(loader):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        scheduler.step()
        if step % args.log_interval == 0:
            log.info("epoch %d step %d loss %.4f", epoch, step, loss.item())


def test(model, loader):
    model.eval()
    correct = 0
    with torch.no_grad():
        for images, labels in loader:
            correct += model(images).argmax(1).eq(labels).sum().item()
    return correct / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser(description="shapes")
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--max-lr", type=float, default=0.05)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--width", type=int, default=10)
    parser.add_argument("--log-interval", type=int, default=10)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed + 1)
    train_loader = DataLoader(draw(1500, generator), args.batch_size, shuffle=True)
    test_loader = DataLoader(draw(400, generator), 200)

    model = ShapeNet(args.width)
    optimizer = optim.SGD(model.parameters(), lr=args.max_lr, momentum=args.momentum, weight_decay=5e-4)
    scheduler = OneCycleLR(
        optimizer,
        max_lr=args.max_lr,
        epochs=args.epochs,
        steps_per_epoch=len(train_loader),
        pct_start=0.4,
        div_factor=100.0,
    )
    for epoch in range(1, args.epochs + 1):
        train(args, model, train_loader, optimizer, scheduler, epoch)
        accuracy = test(model, test_loader)
        log.info("epoch %d test accuracy %.3f", epoch, accuracy)
    log.info("final test accuracy %.3f", accuracy)


if __name__ == "__main__":
    main()
