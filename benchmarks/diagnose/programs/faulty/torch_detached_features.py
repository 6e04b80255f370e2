"""The features are detached "to save memory" before they go to the head: the encoder gets no gradient.

After the PyTorch forum's questions on detach in forward; "broken gradient flow" in Theia's and Defects4ML's lists.
"""

# accept: detached, model-graph-disconnected

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(17)
torch.manual_seed(17)
features = rng.normal(size=(1000, 10))
x = torch.tensor(features, dtype=torch.float32)
y = torch.tensor((np.abs(features[:, 0]) > np.abs(features[:, 1])).astype("int64"))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(10, 40), nn.ReLU(), nn.Linear(40, 10))
        self.head = nn.Linear(10, 2)

    def forward(self, x):
        code = self.encoder(x).detach()  # expect: DLX105
        return self.head(code)


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = criterion(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
