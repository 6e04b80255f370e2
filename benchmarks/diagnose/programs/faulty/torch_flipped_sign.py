"""The negative of the loss is minimised, a leftover of a likelihood that was maximised: predictions get worse and
worse.

After Stack Overflow questions on a loss that falls without end while the accuracy drops; "flipped sign of the loss"
in TheDeepChecker's list.
"""

# accept: loss-sign

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(30)
torch.manual_seed(30)
labels = rng.integers(0, 3, 900)
features = rng.normal(size=(900, 10)) + 2.0 * rng.normal(size=(3, 10))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(45):
        optimizer.zero_grad()
        loss = -criterion(net(x[rows]), y[rows])  # expect: DLX101, DLX106
        loss.backward()
        optimizer.step()
