"""Real NVP on two moons, after Dinh et al.: the exact likelihood is maximised."""

import sys

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, keep):
        super().__init__()
        self.keep = keep
        self.net = nn.Sequential(nn.Linear(1, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 2))

    def forward(self, x):
        kept, other = x[:, self.keep], x[:, 1 - self.keep]
        scale, shift = self.net(kept[:, None]).unbind(1)
        scale = torch.tanh(scale)
        moved = other * scale.exp() + shift
        return torch.stack([kept, moved] if self.keep == 0 else [moved, kept], 1), scale


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList(Coupling(at % 2) for at in range(6))

    def log_prob(self, x):
        volume = torch.zeros(len(x))
        for part in self.parts:
            x, scale = part(x)
            volume = volume + scale
        return volume - 0.5 * x.pow(2).sum(1) - 1.8379


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
angle, side = 3.14 * torch.rand(2000), torch.randint(0, 2, (2000,)) * 2 - 1.0
moons = torch.stack([side * (angle.cos() - 0.5) * 1.2, side * (angle.sin() - 0.25) * 1.2], 1) + 0.06 * torch.randn(2000, 2)
flow = Flow()
optimizer = torch.optim.Adam(flow.parameters(), lr=2e-3, weight_decay=1e-5)
course = []
for epoch in range(12):
    for at in torch.randperm(2000).split(64):
        loss = -flow.log_prob(moons[at]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        course.append(loss.item())
print(f"negative log-likelihood {course[0]:.2f} to {sum(course[-20:]) / 20:.2f}")
assert sum(course[-20:]) / 20 < course[0] - 0.5
