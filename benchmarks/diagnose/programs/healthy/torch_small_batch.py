"""Noisy regression with batches of two: the loss jumps from step to step, the error falls all the same."""

import sys

import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
x = 2 * torch.rand(1000, 3) - 1
y = torch.sin(3 * x[:, :1]) + x[:, 1:2] * x[:, 2:] + 0.3 * torch.randn(1000, 1)
model = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    for at in torch.randperm(800).split(2):
        loss = nn.functional.mse_loss(model(x[at]), y[at])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    error = float(nn.functional.mse_loss(model(x[800:]), y[800:]) / y[800:].var())
print(f"share of the variance that is left: {error:.3f}")
assert error < 0.5
