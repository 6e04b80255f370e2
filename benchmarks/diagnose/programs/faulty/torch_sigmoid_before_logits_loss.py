"""The model applies a sigmoid and the loss applies it again: outputs between 0.5 and 0.73 as far as the loss can see.

After Stack Overflow questions on BCELoss against BCEWithLogitsLoss; "mismatch of last activation and loss" in
Theia's and DeepFD's lists.

The loss was marked as well after the first look: either of the two lines that disagree can be changed.
"""

# accept: loss-pairing, sigmoid-before-bce-with-logits, redundant-activation

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(2)
torch.manual_seed(2)
features = rng.normal(size=(1000, 12))
x = torch.tensor(features, dtype=torch.float32)
y = torch.tensor((features[:, :4].sum(axis=1, keepdims=True) > 0), dtype=torch.float32)

net = nn.Sequential(
    nn.Linear(12, 32),
    nn.ReLU(),
    nn.Linear(32, 1),
    nn.Sigmoid(),  # expect: DLX113
)
criterion = nn.BCEWithLogitsLoss()  # expect: DLX113
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = criterion(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
