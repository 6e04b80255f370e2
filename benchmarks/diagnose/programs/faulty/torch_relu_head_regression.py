"""A regression whose targets are negative half of the time ends in a rectifier: the model cannot predict below zero.

After Stack Overflow questions on networks that predict zero for every sample; "wrong activation of the last layer"
in DeepFD's and DeepDiagnosis' lists.
"""

# accept: loss-pairing, output-activation, output-range-vs-target-range, activation

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(3)
torch.manual_seed(3)
features = rng.normal(size=(960, 6))
targets = features @ rng.normal(size=(6, 1)) - 2.0
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(targets, dtype=torch.float32)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 32)
        self.second = nn.Linear(32, 1)

    def forward(self, inputs):
        hidden = torch.relu(self.first(inputs))
        return torch.relu(self.second(hidden))  # expect: DLX102, DLX105, DLX110, DLX113


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(48):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
