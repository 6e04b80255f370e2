"""``next(iter(loader))`` stands inside the loop: every step starts the loader again and gets its first batch.

After Stack Overflow questions on a loss that falls to zero while the test accuracy stays low; wrong use of data
loaders in Defects4ML's kind.
"""

# accept: batch-iteration, identical-batches, batches, shuffle

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(32)
torch.manual_seed(32)
labels = rng.integers(0, 4, 800)
features = rng.normal(size=(800, 12)) + rng.normal(size=(4, 12))[labels]
data = torch.utils.data.TensorDataset(torch.tensor(features, dtype=torch.float32), torch.tensor(labels))
loader = torch.utils.data.DataLoader(data, batch_size=32)

net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(200):
    xb, yb = next(iter(loader))  # expect: DLX112
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(xb), yb)  # expect: DLX112
    loss.backward()
    optimizer.step()
