"""Large batches by accumulation; options from the command line."""
import argparse

import torch
from torch import nn


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accumulate", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=3)
    return parser.parse_args()


def main():
    args = options()
    torch.manual_seed(0)
    x = torch.randn(512, 6)
    y = x.cos().sum(1, keepdim=True)
    net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(args.epochs):
        optimizer.zero_grad()
        for i, (xb, yb) in enumerate(zip(x.split(8), y.split(8)), start=1):
            loss = nn.functional.mse_loss(net(xb), yb)
            (loss / args.accumulate).backward()
            if i % args.accumulate == 0:
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
