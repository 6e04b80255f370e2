"""Fill in missing entries of rows that lie near a plane; the loss counts the hidden entries only."""

import sys

import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
basis = torch.randn(3, 16)


def rows(count):
    return torch.randn(count, 3) @ basis / 1.7 + 0.05 * torch.randn(count, 16)


model = nn.Sequential(nn.Linear(32, 96), nn.SiLU(), nn.Linear(96, 96), nn.SiLU(), nn.Linear(96, 16))
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
train, valid = rows(2000), rows(400)


def hidden_error(batch):
    keep = (torch.rand_like(batch) > 0.25).float()
    filled = model(torch.cat([batch * keep, keep], dim=1))
    return ((filled - batch).pow(2) * (1 - keep)).sum() / (1 - keep).sum()


for epoch in range(20):
    model.train()
    for part in train[torch.randperm(len(train))].split(50):
        loss = hidden_error(part)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        error = hidden_error(valid).item()
    if epoch % 4 == 3:
        print(f"epoch {epoch}: error of hidden entries {error:.4f}")
