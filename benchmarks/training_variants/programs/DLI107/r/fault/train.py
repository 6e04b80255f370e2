"""Regression of a sine; settings in a dataclass."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Settings:
    epochs: int = 5
    width: int = 32
    lr: float = 1e-2


def build(settings):
    return nn.Sequential(nn.Linear(1, settings.width), nn.Tanh(), nn.Linear(settings.width, 1))


def run_epoch(settings, batches):
    net = build(settings)
    optimizer = torch.optim.Adam(net.parameters(), lr=settings.lr)
    total = 0.0
    for x, y in batches:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return net, total / len(batches)


def main():
    torch.manual_seed(3)
    settings = Settings()
    x = torch.linspace(-3, 3, 128).unsqueeze(1)
    batches = list(zip(x.split(16), torch.sin(x).split(16)))
    for epoch in range(settings.epochs):
        net, mean = run_epoch(settings, batches)
        print(epoch, round(mean, 4))
    torch.save(net.state_dict(), "sine.pt")


if __name__ == "__main__":
    main()
