"""The negative log-likelihood is given probabilities instead of their logarithms: it falls to -1 and its gradients are
weak.

After questions on Stack Overflow on a negative NLLLoss; "mismatch of last activation and loss" in Theia's list.
"""

# set: late
# accept: loss-pairing, bce-or-nll-on-raw-scores

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

rng = np.random.default_rng(84)
torch.manual_seed(84)
labels = rng.integers(0, 5, 1000)
features = rng.normal(size=(1000, 12)) + 1.5 * rng.normal(size=(5, 12))[labels]
x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(labels)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(12, 40)
        self.fc2 = nn.Linear(40, 5)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        return F.softmax(self.fc2(x), dim=1)  # expect: DLX106, DLX113


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for epoch in range(6):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = F.nll_loss(net(x[rows]), y[rows])  # expect: DLX106, DLX113
        loss.backward()
        optimizer.step()
