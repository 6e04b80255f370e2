"""The data lies sorted by class and the loader does not shuffle: the network forgets each class while it learns the
next.

After Stack Overflow questions on a loss that jumps from batch to batch; "data not shuffled" in DeepFD's and
TheDeepChecker's lists.
"""

# accept: shuffle

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(31)
torch.manual_seed(31)
labels = np.sort(rng.integers(0, 5, 1000))
features = rng.normal(size=(1000, 10)) + 1.5 * rng.normal(size=(5, 10))[labels]
data = torch.utils.data.TensorDataset(torch.tensor(features, dtype=torch.float32), torch.tensor(labels))
loader = torch.utils.data.DataLoader(data, batch_size=25)  # expect: DLX106, DLX107, DLX112

net = nn.Sequential(nn.Linear(10, 48), nn.ReLU(), nn.Linear(48, 5))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(6):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(xb), yb)  # expect: DLX106, DLX107, DLX112
        loss.backward()
        optimizer.step()
