"""Columns are standardised by their own spread, and one column is the same everywhere: 0 / 0 in every row.

After Stack Overflow questions on a loss that is nan from the first step; "division by zero" in GRIST's list,
constant features in the nine-step guide.
"""

# accept: guard, division-by-possible-zero

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(7)
torch.manual_seed(7)
features = rng.normal(5.0, 2.0, size=(600, 8))
features[:, 3] = 1.0
targets = features[:, :2] @ np.array([[1.0], [-2.0]])
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(targets, dtype=torch.float32)

x = (x - x.mean(dim=0)) / x.std(dim=0)  # expect: DLX101, DLX112
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(40):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
