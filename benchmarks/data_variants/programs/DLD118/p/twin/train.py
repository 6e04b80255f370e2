"""Step-based training that draws a batch per step."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--lr", type=float, default=0.05)
    return parser.parse_args()


def endless(loader):
    while True:
        yield from loader


def main():
    args = parse()
    torch.manual_seed(8)
    x = torch.randn(2000, 8)
    index = torch.arange(2000)
    data = TensorDataset(index, x, x.pow(2).sum(1, keepdim=True))
    loader = DataLoader(data, batch_size=args.batch, shuffle=True, generator=torch.Generator().manual_seed(1))
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr / 10, momentum=0.9)
    seen = set()
    model.train()
    stream = endless(loader)
    for _ in range(args.steps):
        rows, features, target = next(stream)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(features), target)
        loss.backward()
        optimizer.step()
        seen.update(rows.tolist())
    print(f"{len(seen)} different rows in {args.steps * args.batch} draws")


if __name__ == "__main__":
    main()
