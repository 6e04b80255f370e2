"""The two classes are numbered 1 and 2, as in the file, but the binary loss takes 0 and 1: it falls below zero without
end.

After Stack Overflow questions on a negative binary cross entropy; "wrong label encoding" in DeepFD's and
Defects4ML's lists.
"""

# accept: labels, label-range, label-encoding-vs-loss

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(22)
torch.manual_seed(22)
classes = rng.integers(1, 3, 1000)
features = rng.normal(size=(1000, 8)) + 1.5 * rng.normal(size=(3, 8))[classes]
x = torch.tensor(features, dtype=torch.float32)
y = torch.tensor(classes[:, None], dtype=torch.float32)  # expect: DLX106, DLX113

net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = criterion(net(x[rows]), y[rows])  # expect: DLX106, DLX113
        loss.backward()
        optimizer.step()
