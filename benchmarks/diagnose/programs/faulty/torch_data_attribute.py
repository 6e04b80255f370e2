"""The pooled states are taken by ``.data``, an old habit: the recurrent layer below is cut off from the loss.

After the PyTorch forum's questions on .data against .detach(); "broken gradient flow" in Theia's list.
"""

# accept: detached, model-graph-disconnected

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(18)
torch.manual_seed(18)
series = rng.normal(size=(600, 12, 4))
x = torch.tensor(series, dtype=torch.float32)
y = torch.tensor((series[:, -3:, 0].sum(axis=1) > 0).astype("int64"))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRU(4, 16, batch_first=True)
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        states, _ = self.cell(x)
        pooled = states.mean(dim=1).data  # expect: DLX105
        return self.head(pooled)


net = Reader()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(40):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
