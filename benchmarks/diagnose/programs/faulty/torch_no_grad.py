"""The convolution stands in a ``no_grad`` block that was meant for evaluation: it is never trained.

After Stack Overflow questions on torch.no_grad in forward; "broken gradient flow" in Theia's list.
"""

# accept: detached, model-graph-disconnected

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(19)
torch.manual_seed(19)
labels = rng.integers(0, 3, 600)
images = rng.normal(size=(600, 1, 10, 10)) + rng.normal(size=(3, 1, 10, 10))[labels]
x, y = torch.tensor(images, dtype=torch.float32), torch.tensor(labels)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 6, 3)
        self.fc = nn.Linear(6 * 4 * 4, 3)

    def forward(self, x):
        with torch.no_grad():  # expect: DLX105
            x = nn.functional.max_pool2d(torch.relu(self.conv(x)), 2)
        return self.fc(x.flatten(1))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(40):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
