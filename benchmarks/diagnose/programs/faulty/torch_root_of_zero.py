"""Distances of pairs of embeddings are roots of sums of squares; a pair of equal samples has distance 0, where the
root has no slope.

After the PyTorch forum's questions on nan gradients of torch.sqrt and torch.norm; numerical bugs of ISSTA 2018's
and GRIST's kind.
"""

# accept: guard, sqrt-pow-inverse-domain

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(8)
torch.manual_seed(8)
first = rng.normal(size=(800, 10))
same = rng.random(800) < 0.5
second = np.where(same[:, None], first + 0.1 * rng.normal(size=first.shape), rng.normal(size=first.shape))
second[::37] = first[::37]
same[::37] = True
left, right = torch.tensor(first, dtype=torch.float32), torch.tensor(second, dtype=torch.float32)
alike = torch.tensor(same, dtype=torch.float32)

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 8))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(8):
    for rows in torch.randperm(len(left)).split(40):
        difference = net(left[rows]) - net(right[rows])
        distance = torch.sqrt((difference**2).sum(dim=1))  # expect: DLX101
        loss = (alike[rows] * distance**2 + (1 - alike[rows]) * torch.relu(1 - distance) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
