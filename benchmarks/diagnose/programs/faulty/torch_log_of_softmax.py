"""A cross entropy written by hand takes the logarithm of a softmax, which is exactly 0 once the network is sure.

After Stack Overflow questions on nan after some epochs with a loss of one's own; "numerical error" in
DeepLocalize's and GRIST's lists.
"""

# accept: guard, log-of-nonpositive, unstable-composition, loss-pairing

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(6)
torch.manual_seed(6)
labels = rng.integers(0, 5, 1000)
features = rng.normal(size=(1000, 20)) + 12.0 * rng.normal(size=(5, 20))[labels]
x = torch.tensor(features, dtype=torch.float32)
y = nn.functional.one_hot(torch.tensor(labels), 5).float()

net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 5))
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(50):
        probabilities = torch.softmax(net(x[rows]), dim=1)
        loss = -(y[rows] * torch.log(probabilities)).sum(dim=1).mean()  # expect: DLX101
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
