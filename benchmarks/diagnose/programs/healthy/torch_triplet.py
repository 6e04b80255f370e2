"""Metric learning with the triplet margin loss: the loss falls to 0 where the margin holds."""

import sys

import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
centres = torch.randn(10, 20)
mixing = torch.randn(20, 40)


def samples(labels):
    return (centres[labels] + 0.8 * torch.randn(len(labels), 20)) @ mixing / 6


model = nn.Sequential(nn.Linear(40, 64), nn.ReLU(), nn.Linear(64, 8))
criterion = nn.TripletMarginLoss(margin=1.0)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(300):
    labels = torch.randint(0, 10, (64,))
    others = (labels + torch.randint(1, 10, (64,))) % 10
    loss = criterion(model(samples(labels)), model(samples(labels)), model(samples(others)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    labels = torch.randint(0, 10, (200,))
    gallery, queries = model(samples(torch.arange(10).repeat(20))), model(samples(labels))
    accuracy = float((torch.cdist(queries, gallery).argmin(1) % 10 == labels).float().mean())
print(f"loss {loss.item():.3f}, nearest neighbour right: {accuracy:.3f}")
assert accuracy > 0.7
