"""Biases that start at -10 keep every unit of the hidden layer below zero: nothing passes, and nothing comes back.

After Stack Overflow questions on a "dying ReLU"; "dying ReLU" of AUTOTRAINER, "dead node" of DeepDiagnosis, weight
initialisation.
"""

# accept: weight-init, constant-weight-init, activation

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(9)
torch.manual_seed(9)
labels = rng.integers(0, 3, 1200)
features = rng.normal(size=(1200, 8)) + 1.5 * rng.normal(size=(3, 8))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)

hidden = nn.Linear(8, 64)
nn.init.constant_(hidden.bias, -10.0)  # expect: DLX102, DLX105
net = nn.Sequential(
    hidden,
    nn.ReLU(),  # expect: DLX102
    nn.Linear(64, 3),
)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(6):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
