"""Gradients are cleared once per epoch instead of once per step: within an epoch they pile up.

After questions in the PyTorch forum on where zero_grad belongs; "missing zero_grad" in Theia's and Defects4ML's
lists.
"""

# set: late
# accept: zero-grad, missing-zero-grad

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(83)
torch.manual_seed(83)
labels = rng.integers(0, 3, 1200)
features = rng.normal(size=(1200, 8)) + 1.5 * rng.normal(size=(3, 8))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)

net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(4):
    optimizer.zero_grad()  # expect: DLX101, DLX102, DLX104, DLX105, DLX106
    for rows in torch.randperm(len(x)).split(30):
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()  # expect: DLX101, DLX102, DLX104, DLX105, DLX106
        optimizer.step()
