"""Bytes are divided by 255 without a remainder: almost all pixels become 0, and the network sees black images.

After Stack Overflow questions on images that turn black after scaling; "wrong preprocessing" in DeepFD's list, the
nine-step guide's step 2.
"""

# accept: integer-division, integer-arithmetic-on-images, input-scale

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(34)
torch.manual_seed(34)
labels = rng.integers(0, 3, 900)
patterns = rng.integers(40, 200, (3, 64))
pixels = np.clip(patterns[labels] + rng.normal(0, 20, (900, 64)), 0, 254).astype("uint8")
x = torch.tensor(pixels // 255).float()  # expect: DLX105, DLX107, DLX110, DLX112
y = torch.tensor(labels)

net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(45):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])  # expect: DLX107, DLX110
        loss.backward()
        optimizer.step()
