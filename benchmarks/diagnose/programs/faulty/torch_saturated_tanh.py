"""Weights drawn with a spread of 3 push every tanh to its limits: hardly any gradient passes the hidden layers.

After Stack Overflow questions on deep tanh networks that do not learn; "saturated activation" of DeepDiagnosis,
weight initialisation.
"""

# accept: weight-init, activation

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(11)
torch.manual_seed(11)
features = rng.normal(size=(1000, 20))
x = torch.tensor(features, dtype=torch.float32)
y = torch.tensor((features[:, :5].sum(axis=1) > 0).astype("int64"))

layers = []
width = 20
for _ in range(4):
    linear = nn.Linear(width, 64)
    nn.init.normal_(linear.weight, std=3.0)  # expect: DLX103, DLX109
    layers += [linear, nn.Tanh()]  # expect: DLX103
    width = 64
net = nn.Sequential(*layers, nn.Linear(width, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
