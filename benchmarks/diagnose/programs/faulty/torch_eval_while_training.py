"""The model is put into evaluation mode before the loop and never back: neither dropout nor batch statistics are at
work in training.

After the PyTorch forum's questions on model.eval() during training; "wrong mode" in Theia's list of PyTorch faults.
"""

# accept: mode, train-mode, training-mode

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(27)
torch.manual_seed(27)
labels = rng.integers(0, 3, 900)
features = 20.0 * rng.normal(size=(900, 10)) + 15.0 * rng.normal(size=(3, 10))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)

net = nn.Sequential(nn.BatchNorm1d(10), nn.Linear(10, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 3))
net.eval()  # expect: DLX109, DLX111
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(45):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
