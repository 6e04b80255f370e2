from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class LifterConfig:
    joints: int = 8
    width: int = 64
    blocks: int = 3
    lr: float = 1e-3


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = nn.Linear(width, width)
        self.b = nn.Linear(width, width)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        return x + self.relu(self.b(self.relu(self.a(x))))


class PoseLifter(nn.Module):
    """From 2D joints to 3D joints."""

    def __init__(self, cfg):
        super().__init__()
        self.inp = nn.Linear(2 * cfg.joints, cfg.width)
        self.body = nn.Sequential(*[Residual(cfg.width) for _ in range(cfg.blocks)])
        self.out = nn.Linear(cfg.width, 3 * cfg.joints)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.xavier_normal_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.out(self.body(torch.relu(self.inp(x))))


def main(cfg):
    torch.manual_seed(2)
    poses = torch.randn(128, cfg.joints, 3)
    flat = (poses[..., :2] / (3 + poses[..., 2:].abs())).flatten(1)
    net = PoseLifter(cfg)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    for it in range(30):
        opt.zero_grad()
        error = (net(flat).view_as(poses) - poses).norm(dim=-1).mean()
        error.backward()
        opt.step()
    print(f"MPJPE {error.item():.4f}")


main(LifterConfig())
