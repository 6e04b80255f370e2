"""Training scripts that several tests use; ``STEPS`` is to be replaced."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]

HEALTHY = """
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(256, 8)
y = (x[:, 0] * x[:, 1] > 0).long()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=32, shuffle=True)
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.BatchNorm1d(32), nn.Dropout(0.1), nn.Linear(32, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()
step = 0
batches = iter(loader)
while step < STEPS:
    batch = next(batches, None)
    if batch is None:
        batches = iter(loader)
        continue
    loss = criterion(net(batch[0]), batch[1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1
"""
