"""The optimizer was given the classifier's parameters only; the features below stay random.

After the PyTorch forum's questions on weights that do not change; "optimizer lacks parameters" in Defects4ML's and
Theia's lists.
"""

# accept: optimizer-parameters

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(15)
torch.manual_seed(15)
features = rng.normal(size=(1000, 8))
x = torch.tensor(features, dtype=torch.float32)
y = torch.tensor((features[:, 0] * features[:, 1] > 0).astype("int64"))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(8, 48), nn.ReLU(), nn.Linear(48, 8), nn.ReLU())
        self.classifier = nn.Linear(8, 2)

    def forward(self, x):
        return self.classifier(self.features(x))


model = Model()
optimizer = torch.optim.Adam(model.classifier.parameters(), lr=0.01)  # expect: DLX105
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
