"""A small denoising model with time embeddings, cosine noise and an average of weights for samples."""

import math

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.GroupNorm(4, width)
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.time = nn.Linear(16, width)

    def forward(self, x, t):
        return x + self.conv(nn.functional.silu(self.norm(x))) + self.time(t)[:, :, None, None]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp, self.out = nn.Conv2d(1, 8, 3, padding=1), nn.Conv2d(8, 1, 3, padding=1)
        self.down, self.mid = Block(8), Block(8)

    def forward(self, x, t):
        frequencies = torch.exp(-math.log(1000) * torch.arange(8) / 8)
        t = torch.cat([(t[:, None] * frequencies).sin(), (t[:, None] * frequencies).cos()], 1)
        x = self.down(self.inp(x), t)
        low = self.mid(nn.functional.avg_pool2d(x, 2), t)
        return self.out(x + nn.functional.interpolate(low, scale_factor=2))


torch.manual_seed(0)
images = torch.randn(64, 1, 8, 8).cumsum(-1)
net = Net()
optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3)
for step in range(30):
    x = images[torch.randperm(64)[:16]]
    t = torch.rand(16)
    level = torch.cos(t * math.pi / 2)[:, None, None, None]
    noise = torch.randn_like(x)
    loss = (net(level * x + (1 - level**2).sqrt() * noise, t) - noise).square().mean()
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
print(loss.item())
