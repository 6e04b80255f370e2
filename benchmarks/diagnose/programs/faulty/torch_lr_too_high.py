"""A small classifier whose loss jumps about and then is flat: the learning rate of 5 was tried "to make it learn
faster".

After the Stack Overflow questions on losses that do not fall; learning rate out of the common range in DeepFD's and
Defects4ML's list of faults, "unstable training" of AUTOTRAINER.
"""

# accept: learning-rate

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
torch.manual_seed(0)
labels = rng.integers(0, 4, 1000)
features = rng.normal(size=(1000, 12)) + 2.0 * rng.normal(size=(4, 12))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)

net = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4))
optimizer = torch.optim.SGD(net.parameters(), lr=5.0)  # expect: DLX101, DLX104, DLX105, DLX106
criterion = nn.CrossEntropyLoss()
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = criterion(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
