"""The accuracy on held-back data is taken without ``eval()``: dropout of one half is still at work, and the figures
jump about.

After Stack Overflow questions on a validation accuracy far below the training one; "missing model.eval()" in
Theia's list.
"""

# accept: mode, eval-mode, evaluation-mode

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(28)
torch.manual_seed(28)
labels = rng.integers(0, 4, 1200)
features = rng.normal(size=(1200, 16)) + 1.2 * rng.normal(size=(4, 16))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)
train_x, train_y, test_x, test_y = x[:1000], y[:1000], x[1000:], y[1000:]

net = nn.Sequential(nn.Linear(16, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 4))
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(8):
    for rows in torch.randperm(1000).split(50):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(train_x[rows]), train_y[rows])
        loss.backward()
        optimizer.step()
    with torch.no_grad():  # expect: DLX111
        accuracy = (net(test_x).argmax(dim=1) == test_y).float().mean()  # expect: DLX111
