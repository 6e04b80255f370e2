import argparse

import torch
from torch import nn


def conv(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(2, cout), nn.ReLU())


class SmallUNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.d1, self.d2 = conv(1, width), conv(width, 2 * width)
        self.pool, self.up = nn.MaxPool2d(2), nn.Upsample(scale_factor=2)
        self.u1, self.last = conv(3 * width, width), nn.Conv2d(width, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(self.pool(a))
        return self.last(self.u1(torch.cat([a, self.up(b)], dim=1)))


def build_parser():
    parser = argparse.ArgumentParser(description="Train a small U-Net to remove noise")
    parser.add_argument("--learning-rate", type=float, default=0.03)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--noise", type=float, default=0.2)
    return parser


def main():
    args = build_parser().parse_args()
    torch.manual_seed(0)
    clean = torch.rand(32, 1, 4, 4).repeat_interleave(4, 2).repeat_interleave(4, 3)
    net = SmallUNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=args.learning_rate, momentum=args.momentum)
    for epoch in range(args.epochs):
        total = 0.0
        for target in clean.split(8):
            prediction = net(target + args.noise * torch.randn_like(target))
            loss = nn.functional.mse_loss(prediction, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch} mse {total / 4:.4f}")


if __name__ == "__main__":
    main()
