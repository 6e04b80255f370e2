"""The schedule halves the learning rate, and is stepped after every batch instead of every epoch: after 20 steps
nothing moves.

After questions in the PyTorch forum on where scheduler.step() belongs; wrong learning rate in DeepFD's list.
"""

# set: late
# accept: schedule, scheduler, learning-rate

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(86)
torch.manual_seed(86)
labels = rng.integers(0, 3, 1000)
features = rng.normal(size=(1000, 10)) + 1.0 * rng.normal(size=(3, 10))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.02)  # expect: DLX105, DLX106, DLX107, DLX114
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)  # expect: DLX105, DLX106, DLX107, DLX114
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
        scheduler.step()  # expect: DLX105, DLX106, DLX107, DLX114
