"""Model and data are cast to half precision as a whole; Adam's epsilon of 1e-8 is zero there, and the first step
divides by zero.

After the PyTorch forum's questions on nan with model.half() and Adam; numerical errors of low precision in
Defects4ML's kind.

After the first look the name was added that `dllint check` has for the same repair.
"""

# accept: half-precision, optimizer-epsilon-out-of-range

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(35)
torch.manual_seed(35)
labels = rng.integers(0, 3, 600)
features = rng.normal(size=(600, 8)) + 2.0 * rng.normal(size=(3, 8))[labels]
x, y = torch.tensor(features).half(), torch.tensor(labels)

net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3)).half()  # expect: DLX101
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)  # expect: DLX101
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(40):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]).float(), y[rows])
        loss.backward()
        optimizer.step()
