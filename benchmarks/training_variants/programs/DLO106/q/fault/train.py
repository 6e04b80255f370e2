"""Tell inner from outer shells; accuracy is checked before training and after every epoch."""
import argparse

import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self, n_in=10, width=32):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_in, width), nn.Softplus(), nn.Linear(width, width), nn.Softplus(), nn.Linear(width, 2))

    def forward(self, x):
        return self.layers(x)


def make(n, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 10, generator=gen)
    return x, (x.pow(2).sum(1) > 9.3).long()


def check(model, data, title):
    x, y = data
    torch.set_grad_enabled(False)
    model.eval()
    accuracy = (model(x).argmax(1) == y).float().mean().item()
    print(f"{title}: {accuracy:.3f}")


def train_epoch(model, data, optimizer):
    x, y = data
    model.train()
    for idx in torch.randperm(len(x)).split(64):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x[idx]), y[idx])
        loss.backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--lr", type=float, default=0.1)
    args = parser.parse_args()
    torch.manual_seed(2)
    model = Scorer()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    train, test = make(2000, 0), make(500, 1)
    check(model, test, "before training")
    for epoch in range(args.epochs):
        train_epoch(model, train, optimizer)
        check(model, test, f"epoch {epoch}")


if __name__ == "__main__":
    main()
