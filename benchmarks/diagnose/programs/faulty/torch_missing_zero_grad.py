"""Gradients pile up from step to step because nothing clears them: the weights swing further and further.

After the PyTorch forum's questions on why zero_grad is needed; "missing zero_grad" in Theia's and Defects4ML's
lists.
"""

# accept: zero-grad, missing-zero-grad

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
torch.manual_seed(0)
features = rng.normal(size=(960, 10))
x = torch.tensor(features, dtype=torch.float32)
y = torch.tensor(features @ rng.normal(size=(10, 1)) + np.sin(features[:, :1]), dtype=torch.float32)

net = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
criterion = nn.MSELoss()
for epoch in range(8):
    for start in range(0, len(x), 48):
        xb, yb = x[start : start + 48], y[start : start + 48]
        loss = criterion(net(xb), yb)
        loss.backward()  # expect: DLX101, DLX104, DLX105, DLX106
        optimizer.step()
