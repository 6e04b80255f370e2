"""The optimizer holds the parameters of a model that was built before; the one that is trained never changes.

After Stack Overflow questions on a loss that does not change at all; "wrong model's parameters" in Defects4ML's
kind of faults.
"""

# accept: optimizer-parameters

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(16)
torch.manual_seed(16)
features = rng.normal(size=(800, 6))
x = torch.tensor(features, dtype=torch.float32)
y = torch.tensor(features @ rng.normal(size=(6, 2)), dtype=torch.float32)


def build():
    return nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 2))


draft = build()
optimizer = torch.optim.Adam(draft.parameters(), lr=0.01)  # expect: DLX105, DLX106
model = build()
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(40):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
