"""Two of a hundred samples are positive, and the loss weighs all alike: the model says "negative" to everything.

After Stack Overflow questions on a model that predicts the majority class; "unbalanced data" in DeepFD's and
TheDeepChecker's lists.
"""

# accept: class-weight, class-weights, class-imbalance

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(33)
torch.manual_seed(33)
positive = rng.random(4000) < 0.02
features = rng.normal(size=(4000, 8)) + 0.7 * positive[:, None]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(positive.astype("int64"))

net = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 2))
criterion = nn.CrossEntropyLoss()  # expect: DLX107, DLX112
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(4):
    for rows in torch.randperm(len(x)).split(80):
        optimizer.zero_grad()
        loss = criterion(net(x[rows]), y[rows])  # expect: DLX107, DLX112
        loss.backward()
        optimizer.step()
