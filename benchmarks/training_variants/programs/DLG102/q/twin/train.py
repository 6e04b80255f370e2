"""Denoising diffusion on 2-D points; the schedule is indexed by random steps on the GPU."""
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class DiffusionConfig:
    steps: int = 100
    dim: int = 64
    batch: int = 512
    iterations: int = 3000
    lr: float = 1e-3


class Noise(nn.Module):
    """Predicts the noise of a point at a given step."""

    def __init__(self, cfg):
        super().__init__()
        self.dim = cfg.dim
        self.net = nn.Sequential(nn.Linear(2 + cfg.dim, 128), nn.SiLU(), nn.Linear(128, 128), nn.SiLU(), nn.Linear(128, 2))

    def time_embedding(self, t):
        half = self.dim // 2
        freq = torch.exp(-math.log(10000) * torch.arange(half, device=t.device) / half)
        angle = t.float()[:, None] * freq
        return torch.cat([angle.sin(), angle.cos()], dim=1)

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time_embedding(t)], dim=1))


class Diffusion(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        beta = torch.linspace(1e-4, 0.02, cfg.steps)
        self.register_buffer("alpha_bar", torch.cumprod(1 - beta, dim=0))
        self.model = Noise(cfg)
        self.cfg = cfg

    def loss(self, x):
        t = torch.randint(self.cfg.steps, (len(x),), device=x.device)
        noise = torch.randn_like(x)
        a = self.alpha_bar[t][:, None]
        return nn.functional.mse_loss(self.model(a.sqrt() * x + (1 - a).sqrt() * noise, t), noise)


def swiss_roll(n, device):
    t = 1.5 * math.pi * (1 + 2 * torch.rand(n, device=device))
    return torch.stack([t * t.cos(), t * t.sin()], dim=1) / 8


def main():
    torch.manual_seed(0)
    cfg = DiffusionConfig()
    device = torch.device("cuda")
    diffusion = Diffusion(cfg).to(device)
    optimizer = torch.optim.AdamW(diffusion.parameters(), lr=cfg.lr, weight_decay=1e-4)
    diffusion.train()
    for i in range(1, cfg.iterations + 1):
        loss = diffusion.loss(swiss_roll(cfg.batch, device))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if i % 500 == 0:
            print(i, loss.item())


if __name__ == "__main__":
    main()
