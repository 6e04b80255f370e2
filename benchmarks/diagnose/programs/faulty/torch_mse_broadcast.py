"""Predictions of shape (B, 1) meet targets of shape (B): every prediction is drawn to the mean of all targets.

After Stack Overflow questions on a regression that predicts the mean; "wrong shape of labels" in Theia's list,
PyTorch's own warning.
"""

# accept: target-shape, suspicious-broadcast

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(23)
torch.manual_seed(23)
features = rng.normal(size=(1000, 6))
x = torch.tensor(features, dtype=torch.float32)
y = torch.tensor(features @ rng.normal(size=6), dtype=torch.float32)

net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        output = net(x[rows])
        loss = criterion(output, y[rows])  # expect: DLX106, DLX110, DLX113
        loss.backward()
        optimizer.step()
