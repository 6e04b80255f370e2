from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Recipe:
    name: str = "Adam"
    lr: float = 0.5


def make(recipe, net):
    return getattr(torch.optim, recipe.name)(net.parameters(), lr=recipe.lr)


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = make(Recipe(), net)
    x = torch.randn(256, 8)
    y = x[:, :1] * x[:, 1:2]
    for _ in range(60):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    print("learns:", loss.item() < 0.5)


if __name__ == "__main__":
    main()
