"""Three quantiles of a noisy curve with the pinball loss."""

import sys

import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
QUANTILES = torch.tensor([0.1, 0.5, 0.9])


def curve(count):
    x = torch.rand(count, 1) * 4 - 2
    return x, torch.sin(2 * x) + (0.1 + 0.2 * x.abs()) * torch.randn(count, 1)


def pinball(bands, y):
    gap = y - bands
    return torch.maximum(QUANTILES * gap, (QUANTILES - 1) * gap).mean()


x_train, y_train = curve(2000)
x_valid, y_valid = curve(1000)
model = nn.Sequential(nn.Linear(1, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
for epoch in range(15):
    for rows in torch.randperm(2000).split(50):
        loss = pinball(model(x_train[rows]), y_train[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    schedule.step()
with torch.no_grad():
    below = (y_valid < model(x_valid)).float().mean(0)
print("share of points below each band:", [round(value, 3) for value in below.tolist()])
