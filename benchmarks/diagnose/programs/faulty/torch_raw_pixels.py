"""Images of 0 to 255 go into the network as they are; the usual rate of 0.1 then throws the weights about.

After Stack Overflow questions on networks that learn nothing until the images are divided by 255; "improper data"
in DeepDiagnosis' tree.
"""

# accept: input-scale, input-not-scaled

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(5)
torch.manual_seed(5)
labels = rng.integers(0, 4, 800)
patterns = rng.integers(60, 200, (4, 8, 8))
images = np.clip(patterns[labels] + rng.normal(0, 30, (800, 8, 8)), 0, 255).astype("uint8")
x, y = torch.tensor(images).float().unsqueeze(1), torch.tensor(labels)

net = nn.Sequential(
    nn.Conv2d(1, 8, 3),  # expect: DLX101, DLX102, DLX104, DLX112
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Linear(72, 32),
    nn.ReLU(),
    nn.Linear(32, 4),
)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(40):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
