"""A denoising diffusion model of points in the plane, after Ho et al.: the loss stays far from 0, for noise is noise."""

import sys

import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Embedding(50, 32)
        self.point = nn.Linear(2, 64)
        self.body = nn.Sequential(nn.SiLU(), nn.Linear(96, 96), nn.SiLU(), nn.Linear(96, 2))

    def forward(self, x, t):
        return self.body(torch.cat([self.point(x), self.time(t)], 1))


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
angle = 9.4 * torch.rand(3000).sqrt()
spiral = torch.stack([angle * angle.cos(), angle * angle.sin()], 1) / 5
betas = torch.linspace(1e-4, 0.15, 50)
kept = (1 - betas).cumprod(0)
model = Denoiser()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
course = []
for step in range(400):
    x0, t = spiral[torch.randint(0, 3000, (128,))], torch.randint(0, 50, (128,))
    noise = torch.randn_like(x0)
    noisy = kept[t, None].sqrt() * x0 + (1 - kept[t, None]).sqrt() * noise
    loss = nn.functional.mse_loss(model(noisy, t), noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    course.append(loss.item())
print(f"loss {sum(course[:10]) / 10:.3f} to {sum(course[-50:]) / 50:.3f}")
assert sum(course[-50:]) / 50 < 0.7
