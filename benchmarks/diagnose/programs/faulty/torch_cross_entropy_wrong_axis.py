"""Scores of shape (batch, time, classes) are reshaped to (batch, classes, time) instead of being permuted: labels meet
foreign scores.

After Stack Overflow questions on cross entropy for sequences; "wrong reshape" in Theia's and NeuraLint's lists.
"""

# accept: reshape-used-as-transpose

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(36)
torch.manual_seed(36)
tags = rng.integers(0, 5, (500, 12))
series = rng.normal(size=(500, 12, 8)) + 2.0 * rng.normal(size=(5, 8))[tags]
x, y = torch.tensor(series, dtype=torch.float32), torch.tensor(tags)

net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(25):
        optimizer.zero_grad()
        scores = net(x[rows])
        scores = scores.reshape(len(rows), 5, 12)  # expect: DLX106, DLX107, DLX110, DLX114
        loss = nn.functional.cross_entropy(scores, y[rows])  # expect: DLX106, DLX107, DLX110, DLX114
        loss.backward()
        optimizer.step()
