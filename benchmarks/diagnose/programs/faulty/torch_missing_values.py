"""A few cells of the table were empty and became nan: every batch that has one makes the whole model nan.

After the PyTorch forum's questions on nan losses that turn out to be nan in the data; the nine-step guide's step 2.
"""

# accept: missing-values, data, nan-data

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(39)
torch.manual_seed(39)
labels = rng.integers(0, 3, 900)
table = rng.normal(size=(900, 8)) + 2.0 * rng.normal(size=(3, 8))[labels]
table[rng.integers(0, 900, 5), rng.integers(0, 8, 5)] = np.nan  # expect: DLX101, DLX112
x, y = torch.tensor(table, dtype=torch.float32), torch.tensor(labels)

net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(45):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])  # expect: DLX101, DLX112
        loss.backward()
        optimizer.step()
