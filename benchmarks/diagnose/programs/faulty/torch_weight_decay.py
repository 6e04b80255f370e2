"""A weight decay of 5 pulls all weights to zero faster than anything is learnt.

After Stack Overflow questions on networks that predict the same for every sample with L2; "excessive
regularisation" in DeepFD's and TheDeepChecker's lists.
"""

# accept: weight-decay

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(25)
torch.manual_seed(25)
labels = rng.integers(0, 4, 1000)
features = rng.normal(size=(1000, 10)) + 2.0 * rng.normal(size=(4, 10))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.SGD(  # expect: DLX102, DLX104, DLX105, DLX106, DLX107, DLX108, DLX110, DLX114
    net.parameters(), lr=0.05, momentum=0.9, weight_decay=5.0
)
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])  # expect: DLX106, DLX107, DLX108, DLX110, DLX114
        loss.backward()
        optimizer.step()
