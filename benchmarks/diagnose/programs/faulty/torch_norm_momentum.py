"""A momentum of 0.001 was taken from Keras' convention: the running statistics never catch up, and evaluation is far
off.

After Stack Overflow questions on good training and bad validation loss with batch normalisation; TheDeepChecker's
train/eval check.
"""

# accept: norm-momentum, batch-norm-momentum, batch-norm

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(26)
torch.manual_seed(26)
labels = rng.integers(0, 4, 1000)
features = 3.0 + 4.0 * rng.normal(size=(1000, 12)) + 5.0 * rng.normal(size=(4, 12))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)

net = nn.Sequential(
    nn.Linear(12, 48),
    nn.BatchNorm1d(48, momentum=0.001),  # expect: DLX111
    nn.ReLU(),
    nn.Linear(48, 48),
    nn.BatchNorm1d(48, momentum=0.001),  # expect: DLX111
    nn.ReLU(),
    nn.Linear(48, 4),
)
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(8):
    net.train()
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        accuracy = (net(x).argmax(dim=1) == y).float().mean()
