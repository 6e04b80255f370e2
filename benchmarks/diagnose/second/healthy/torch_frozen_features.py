"""A new head on frozen random features that are good enough, then all layers with a small rate."""

import sys

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
centres = torch.randn(5, 20)
labels = torch.randint(5, (1500,))
x = centres[labels] + 0.8 * torch.randn(1500, 20)
train, valid = slice(0, 1200), slice(1200, None)

backbone = nn.Sequential(nn.Linear(20, 128), nn.ReLU())
head = nn.Linear(128, 5)
model = nn.Sequential(backbone, head)


def fit(parameters, rate, epochs):
    optimizer = torch.optim.Adam(parameters, lr=rate)
    for _ in range(epochs):
        for rows in torch.randperm(1200).split(40):
            loss = F.cross_entropy(model(x[train][rows]), labels[train][rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[valid]).argmax(1) == labels[valid]).float().mean().item()
    print(f"loss {loss.item():.4f}, accuracy {accuracy:.3f}")


backbone.requires_grad_(False)
fit(head.parameters(), 5e-3, 4)
backbone.requires_grad_(True)
fit(model.parameters(), 5e-4, 4)
