"""An autoencoder of standardised data ends in a sigmoid: half of what it should restore is below zero.

After questions on Stack Overflow on autoencoders that give grey images; "wrong activation of the last layer" in
DeepFD's list.
"""

# set: late
# accept: output-activation, loss-pairing, output-range-vs-target-range

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(82)
torch.manual_seed(82)
factors = rng.normal(size=(1000, 3))
x = torch.tensor(factors @ rng.normal(size=(3, 20)), dtype=torch.float32)


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 4))
        self.decode = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 20))

    def forward(self, x):
        code = self.encode(x)
        return torch.sigmoid(self.decode(code))  # expect: DLX113


model = Autoencoder()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(50):
        batch = x[rows]
        optimizer.zero_grad()
        loss = criterion(model(batch), batch)
        loss.backward()
        optimizer.step()
