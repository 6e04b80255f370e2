"""All weights start at zero: every hidden unit is like every other, and no gradient reaches the first layers.

After Stack Overflow questions on initialising with zeros; "wrong weight initialisation" in DeepFD's,
TheDeepChecker's and Defects4ML's lists.
"""

# accept: weight-init, constant-weight-init

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(10)
torch.manual_seed(10)
labels = rng.integers(0, 4, 1000)
features = rng.normal(size=(1000, 12)) + 2.0 * rng.normal(size=(4, 12))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)


def start_from_zero(module):
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.weight)  # expect: DLX102, DLX105, DLX106, DLX107, DLX110
        nn.init.zeros_(module.bias)


net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4))
net.apply(start_from_zero)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
