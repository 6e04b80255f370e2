"""Three linear layers without anything between them are one linear layer, which cannot tell a ring from what it
encloses.

After Stack Overflow questions on deep networks that learn XOR or circles no better than a line; "missing
activation" in DeepFD's and TheDeepChecker's lists.
"""

# accept: activation, missing-nonlinearity, nonlinearity

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(37)
torch.manual_seed(37)
points = rng.uniform(-1, 1, size=(1200, 2))
x = torch.tensor(points, dtype=torch.float32)
y = torch.tensor(((points**2).sum(axis=1) < 0.6).astype("int64"))

net = nn.Sequential(
    nn.Linear(2, 32),  # expect: DLX106, DLX107, DLX110, DLX114
    nn.Linear(32, 32),  # expect: DLX106, DLX107, DLX110, DLX114
    nn.Linear(32, 2),
)
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(60):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])  # expect: DLX106, DLX107, DLX110, DLX114
        loss.backward()
        optimizer.step()
