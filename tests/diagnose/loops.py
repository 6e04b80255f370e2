"""Small training loops, put together from a model, data and a loss."""

from __future__ import annotations

_LOOP = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
N = 512
{data}
{model}
optimizer = torch.optim.{optimizer}
for step in range({steps}):
    picked = {picked}
    xb, yb = x[picked], y[picked]
    {loss}
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
{after}
"""

CLASSES = "x = torch.randn(N, 8)\ny = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()"
BINARY = "x = torch.randn(N, 8)\ny = (x[:, :1] > 0).float()"
NUMBERS = "x = torch.randn(N, 8)\ny = x[:, :2] * 2 + 1"
NET = "net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))"
CROSS_ENTROPY = "loss = F.cross_entropy(net(xb), yb)"
SQUARES = "loss = F.mse_loss(net(xb), yb)"


def loop(
    model: str = NET,
    data: str = CLASSES,
    loss: str = CROSS_ENTROPY,
    optimizer: str = "Adam(net.parameters(), lr=0.01)",
    picked: str = "torch.randperm(N)[:32]",
    after: str = "",
    steps: int = 120,
) -> str:
    """The text of a program."""
    return _LOOP.format(model=model, data=data, loss=loss, optimizer=optimizer, picked=picked, after=after, steps=steps)
