"""Ninety-five of a hundred hidden units are dropped, in both layers: so little is left that the loss stays where it
began.

After Stack Overflow questions on networks that stop learning with dropout; "wrong dropout rate" in DeepFD's list,
which DeepDiagnosis does not judge.
"""

# accept: dropout

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(24)
torch.manual_seed(24)
labels = rng.integers(0, 5, 1000)
features = rng.normal(size=(1000, 20)) + 0.7 * rng.normal(size=(5, 20))[labels]
data = torch.utils.data.TensorDataset(torch.tensor(features, dtype=torch.float32), torch.tensor(labels))
loader = torch.utils.data.DataLoader(data, batch_size=50, shuffle=True)

net = nn.Sequential(
    nn.Linear(20, 32),
    nn.ReLU(),
    nn.Dropout(0.95),  # expect: DLX106, DLX107, DLX110, DLX111, DLX114
    nn.Linear(32, 32),
    nn.ReLU(),
    nn.Dropout(0.95),  # expect: DLX106, DLX107, DLX110, DLX111, DLX114
    nn.Linear(32, 5),
)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(8):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(xb), yb)  # expect: DLX106, DLX107, DLX110, DLX111, DLX114
        loss.backward()
        optimizer.step()
