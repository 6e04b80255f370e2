import argparse

import torch
import torch.nn as nn
import torch.optim as optim


class BasicBlock(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.bn1, self.bn2 = nn.BatchNorm2d(cin), nn.BatchNorm2d(cout)
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.short = nn.Conv2d(cin, cout, 1, stride, bias=False)

    def forward(self, x):
        out = torch.relu(self.bn1(x))
        return self.conv2(torch.relu(self.bn2(self.conv1(out)))) + self.short(out)


def build(widen):
    return nn.Sequential(
        nn.Conv2d(3, 4, 3, 1, 1), BasicBlock(4, 4 * widen, 1), BasicBlock(4 * widen, 8 * widen, 2),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8 * widen, 4),
    )


def train_epoch(model, criterion, optimizer, images, labels, batch):
    model.train()
    last = None
    for x, y in zip(images.split(batch), labels.split(batch)):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        last = loss.item()
    return last


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", default=6, type=int)
    parser.add_argument("--lr", default=0.1, type=float)
    parser.add_argument("--epoch-step", default=[1, 4], type=int, nargs="+")
    opt = parser.parse_args()
    torch.manual_seed(1)
    images = torch.randn(48, 3, 12, 12)
    labels = images.mean((2, 3)).argmax(1)
    model = build(2)
    optimizer = optim.SGD(model.parameters(), lr=opt.lr, momentum=0.9, nesterov=True, weight_decay=5e-4)
    scheduler = optim.lr_scheduler.MultiStepLR(optimizer, milestones=opt.epoch_step, gamma=0.2)
    for epoch in range(opt.epochs):
        scheduler.step()
        lr = optimizer.param_groups[0]["lr"]
        loss = train_epoch(model, nn.CrossEntropyLoss(), optimizer, images, labels, 16)
        print(f"epoch {epoch} lr {lr:.4f} loss {loss:.4f}")


if __name__ == "__main__":
    main()
