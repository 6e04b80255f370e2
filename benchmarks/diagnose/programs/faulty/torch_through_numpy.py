"""The pooled features take a way through NumPy, where the graph ends: the convolution below gets no gradient.

After questions in the PyTorch forum on .detach().numpy() in forward; "broken gradient flow" in Theia's list.
"""

# set: late
# accept: detached, model-graph-disconnected

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(88)
torch.manual_seed(88)
labels = rng.integers(0, 2, 600)
signals = rng.normal(size=(600, 1, 32))
signals[labels == 1, 0] += np.sin(np.arange(32))
x, y = torch.tensor(signals, dtype=torch.float32), torch.tensor(labels)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 5)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        features = torch.relu(self.conv(x))
        peaks = np.max(features.detach().numpy(), axis=2)  # expect: DLX105
        return self.head(torch.from_numpy(peaks))  # expect: DLX105


model = Detector()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(40):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
