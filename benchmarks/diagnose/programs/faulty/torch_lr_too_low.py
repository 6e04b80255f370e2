"""A classifier that stays at the level of guessing: a learning rate of 1e-8 was copied from a fine-tuning script.

After Stack Overflow questions on a loss that stays the same from epoch to epoch; learning rate out of the common
range in DeepFD's list.
"""

# accept: learning-rate

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(1)
torch.manual_seed(1)
labels = rng.integers(0, 3, 900)
features = rng.normal(size=(900, 10)) + 2.0 * rng.normal(size=(3, 10))[labels]
data = torch.utils.data.TensorDataset(torch.tensor(features, dtype=torch.float32), torch.tensor(labels))
loader = torch.utils.data.DataLoader(data, batch_size=45, shuffle=True)

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-8)  # expect: DLX105, DLX106
for epoch in range(10):
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(net(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
