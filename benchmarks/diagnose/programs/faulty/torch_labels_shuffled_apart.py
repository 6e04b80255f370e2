"""Samples are shuffled in every epoch, and so are the labels, but each in an order of its own.

After Stack Overflow questions on an accuracy that stays at chance after shuffling; "labels and inputs out of step"
in DeepFD's "data" faults and TheDeepChecker's "corrupted labels".
"""

# accept: paired-shuffle, labels

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(21)
torch.manual_seed(21)
labels = rng.integers(0, 4, 1000)
features = rng.normal(size=(1000, 10)) + 2.0 * rng.normal(size=(4, 10))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(10):
    x = x[torch.randperm(len(x))]  # expect: DLX106, DLX107, DLX112, DLX114
    y = y[torch.randperm(len(y))]  # expect: DLX106, DLX107, DLX112, DLX114
    for start in range(0, len(x), 50):
        optimizer.zero_grad()
        prediction = net(x[start : start + 50])
        loss = nn.functional.cross_entropy(prediction, y[start : start + 50])  # expect: DLX106, DLX107, DLX112, DLX114
        loss.backward()
        optimizer.step()
