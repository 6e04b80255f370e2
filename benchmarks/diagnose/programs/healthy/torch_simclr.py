"""Contrastive learning in the manner of SimCLR: two views of each image, InfoNCE over the batch."""

import sys

import torch
import torch.nn.functional as F
from torch import nn


def views(labels):
    """Patterns of 6 x 6 in which parts are noise."""
    images = patterns[labels]
    mask = (torch.rand(len(labels), 1, 6, 6) < 0.7).float()
    return mask * images + 0.3 * torch.randn_like(images)


def info_nce(first, second, temperature=0.2):
    z = F.normalize(torch.cat([first, second]), dim=1)
    similarity = z @ z.t() / temperature
    similarity.masked_fill_(torch.eye(len(z), dtype=torch.bool), float("-inf"))
    positives = torch.arange(len(z)).roll(len(first))
    return F.cross_entropy(similarity, positives)


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
patterns = torch.randn(64, 1, 6, 6)
encoder = nn.Sequential(nn.Conv2d(1, 32, 3), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(), nn.Linear(512, 32))
projector = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 16))
optimizer = torch.optim.Adam([*encoder.parameters(), *projector.parameters()], lr=2e-3)
losses = []
for step in range(250):
    labels = torch.randperm(64)[:32]
    loss = info_nce(projector(encoder(views(labels))), projector(encoder(views(labels))))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print(f"loss {sum(losses[:10]) / 10:.3f} to {sum(losses[-10:]) / 10:.3f}")
assert sum(losses[-10:]) < 0.5 * sum(losses[:10])
