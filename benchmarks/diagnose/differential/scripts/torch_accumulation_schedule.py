"""Accumulated gradients, and a schedule by hand with warm-up."""

import math

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(200, 4)
y = x.prod(1, keepdim=True)
model = nn.Sequential(nn.Linear(4, 32), nn.SiLU(), nn.Linear(32, 1))
optimizer = torch.optim.AdamW([{"params": model[0].parameters(), "lr": 0.001}, {"params": model[2].parameters()}], lr=0.003)
bases = [group["lr"] for group in optimizer.param_groups]


def set_rate(step, total=40, warm=5):
    factor = (step + 1) / warm if step < warm else 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm)))
    for base, group in zip(bases, optimizer.param_groups):
        group["lr"] = base * factor


optimizer.zero_grad()
for step in range(40):
    set_rate(step)
    total = 0.0
    for micro in range(4):
        rows = slice(50 * micro, 50 * micro + 50)
        loss = nn.functional.mse_loss(model(x[rows]), y[rows]) / 4
        loss.backward()
        total += loss.item()
    optimizer.step()
    optimizer.zero_grad()
    if step % 8 == 0:
        print(step, total, [group["lr"] for group in optimizer.param_groups])
