import torch
import torch.nn.functional as F
from torch import nn


class SimCLR(nn.Module):
    def __init__(self, width=12, dim=8):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(width, 32), nn.ReLU())
        self.projector = nn.Linear(32, dim)

    def encode(self, x):
        return self.backbone(x)

    def forward(self, a, b):
        za, zb = (F.normalize(self.projector(self.encode(v)), dim=1) for v in (a, b))
        return F.cross_entropy(za @ zb.T / 0.2, torch.arange(len(za)))
