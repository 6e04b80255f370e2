#!/usr/bin/env python
"""Softmax regression on two moons, from the command line."""
import argparse
import math

import torch
import torch.nn as nn


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-3, help="learning rate")
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--hidden", type=int, default=16)
    return parser.parse_args()


def moons(n):
    a = torch.rand(n) * math.pi
    upper = torch.stack([a.cos(), a.sin()], 1)
    lower = torch.stack([1 - a.cos(), 0.5 - a.sin()], 1)
    x = torch.cat([upper, lower]) + 0.1 * torch.randn(2 * n, 2)
    return x, torch.arange(2).repeat_interleave(n)


def main():
    args = get_args()
    torch.manual_seed(0)
    x, y = moons(100)
    net = nn.Sequential(nn.Linear(2, args.hidden), nn.ReLU(), nn.Linear(args.hidden, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=args.momentum)
    for epoch in range(args.epochs):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
    print("loss", loss.item())


if __name__ == "__main__":
    main()
