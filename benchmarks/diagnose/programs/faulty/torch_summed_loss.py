"""The loss is the sum over a batch of 100, with the learning rate of an example that had the mean: steps are 100 times
too large.

After the PyTorch forum's questions on reduction="sum"; "sum instead of mean" in TheDeepChecker's list.
"""

# accept: loss-reduction, learning-rate

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(29)
torch.manual_seed(29)
features = rng.normal(size=(1500, 8))
x = torch.tensor(features, dtype=torch.float32)
y = torch.tensor(features @ rng.normal(size=(8, 3)), dtype=torch.float32)

net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 3))
criterion = nn.MSELoss(reduction="sum")  # expect: DLX101, DLX104, DLX106, DLX109
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(100):
        optimizer.zero_grad()
        loss = criterion(net(x[rows]), y[rows])  # expect: DLX101, DLX104, DLX106, DLX109
        loss.backward()
        optimizer.step()
