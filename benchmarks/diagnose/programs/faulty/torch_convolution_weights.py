"""Convolutions are initialised with a spread of 1, whatever their number of inputs is: the first loss is in the
hundreds.

After questions on Stack Overflow on a huge first loss; weight initialisation in DeepFD's and TheDeepChecker's
lists.
"""

# set: late
# accept: weight-init

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(85)
torch.manual_seed(85)
labels = rng.integers(0, 4, 600)
images = rng.normal(size=(600, 3, 12, 12)) + rng.normal(size=(4, 3, 12, 12))[labels]
x, y = torch.tensor(images, dtype=torch.float32), torch.tensor(labels)


def initialise(module):
    if isinstance(module, nn.Conv2d):
        module.weight.data.normal_(0.0, 1.0)  # expect: DLX101, DLX102, DLX104, DLX109
        module.bias.data.zero_()


net = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(32, 4),
)
net.apply(initialise)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
for epoch in range(6):
    for rows in torch.randperm(len(x)).split(30):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
