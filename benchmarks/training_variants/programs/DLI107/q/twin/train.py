"""Epoch-wise experiment loop; a factory returns model and optimizer."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Experiment:
    width: int = 48
    depth: int = 2
    lr: float = 3e-3
    epochs: int = 6


def factory(exp):
    layers, n = [], 14
    for _ in range(exp.depth):
        layers += [nn.Linear(n, exp.width), nn.ReLU()]
        n = exp.width
    model = nn.Sequential(*layers, nn.Linear(n, 1))
    return model, torch.optim.AdamW(model.parameters(), lr=exp.lr, weight_decay=1e-4)


def grid_loads(n, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.rand(n, 14, generator=gen)
    return TensorDataset(x, 4 * (x[:, :1] - 0.5) * x[:, 1:2] + x[:, 2:3].sqrt())


def train_epoch(model, optimizer, loader):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


@torch.no_grad()
def validate(model, loader):
    model.eval()
    return sum(nn.functional.mse_loss(model(x), y, reduction="sum").item() for x, y in loader) / len(loader.dataset)


def main():
    torch.manual_seed(72)
    exp = Experiment()
    train_loader = DataLoader(grid_loads(600, 1), batch_size=30, shuffle=True)
    valid_loader = DataLoader(grid_loads(200, 2), batch_size=100)
    model, optimizer = factory(exp)
    for epoch in range(exp.epochs):
        train_epoch(model, optimizer, train_loader)
        print(f"epoch {epoch}: validation error {validate(model, valid_loader):.4f}")


if __name__ == "__main__":
    main()
