"""A sparsely gated mixture of experts after Shazeer et al. (top 1, load balancing): most experts see few samples."""

import sys

import torch
import torch.nn.functional as F
from torch import nn


class MixtureOfExperts(nn.Module):
    def __init__(self, width, experts=6):
        super().__init__()
        self.gate = nn.Linear(width, experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 24), nn.ReLU(), nn.Linear(24, width)) for _ in range(experts)
        )

    def forward(self, x):
        shares = self.gate(x).softmax(-1)
        value, chosen = shares.max(-1)
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rows = (chosen == number).nonzero().squeeze(1)
            if len(rows):
                out = out.index_add(0, rows, expert(x[rows]) * value[rows, None])
        load = F.one_hot(chosen, len(self.experts)).float().mean(0)
        return x + out, len(self.experts) * (load * shares.mean(0)).sum()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.into, self.moe, self.out = nn.Linear(8, 32), MixtureOfExperts(32), nn.Linear(32, 1)

    def forward(self, x):
        h, balance = self.moe(torch.relu(self.into(x)))
        return self.out(h).squeeze(1), balance


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
# A different linear law in each of four regions.
x = torch.randn(2200, 8)
region = (x[:, 0] > 0).long() + 2 * (x[:, 1] > 0).long()
y = (x * torch.randn(4, 8)[region]).sum(1)
y = (y - y.mean()) / y.std()
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(5):
    for at in torch.randperm(2000).split(50):
        predicted, balance = model(x[at])
        loss = F.mse_loss(predicted, y[at]) + 0.01 * balance
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    error = float(F.mse_loss(model(x[2000:])[0], y[2000:]))
print(f"error {error:.3f} (a constant has 1)")
assert error < 0.5
