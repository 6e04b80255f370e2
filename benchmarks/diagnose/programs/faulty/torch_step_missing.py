"""Gradients are computed and cleared, but the optimizer never steps.

After Stack Overflow questions on a PyTorch loss that never changes; "missing optimizer.step()" in Theia's and
Defects4ML's lists.
"""

# accept: optimizer-step

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(20)
torch.manual_seed(20)
labels = rng.integers(0, 3, 900)
features = rng.normal(size=(900, 8)) + 2.0 * rng.normal(size=(3, 8))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)

net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)  # expect: DLX105, DLX106
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(45):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()  # expect: DLX105, DLX106
