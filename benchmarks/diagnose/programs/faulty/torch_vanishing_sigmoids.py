"""Eight hidden layers of sigmoids: the first ones hardly get any gradient, and the loss stays that of guessing.

After Stack Overflow questions on deep networks of sigmoids that predict one class; "vanishing gradient" of
AUTOTRAINER and DeepDiagnosis.
"""

# accept: activation

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(12)
torch.manual_seed(12)
labels = rng.integers(0, 3, 1000)
features = rng.normal(size=(1000, 10)) + 2.0 * rng.normal(size=(3, 10))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)


class Deep(nn.Module):
    def __init__(self, depth=8):
        super().__init__()
        self.first = nn.Linear(10, 32)  # expect: DLX104
        self.hidden = nn.ModuleList(nn.Linear(32, 32) for _ in range(depth - 1))
        self.act = nn.Sigmoid()  # expect: DLX104, DLX106, DLX107
        self.head = nn.Linear(32, 3)

    def forward(self, x):
        x = self.act(self.first(x))
        for layer in self.hidden:
            x = self.act(layer(x))
        return self.head(x)


net = Deep()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
