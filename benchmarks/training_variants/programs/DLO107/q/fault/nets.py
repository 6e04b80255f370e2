import torch.nn.functional as F
from torch import nn


class EmbeddingNet(nn.Module):
    """MLP with dropout whose outputs have unit length."""

    def __init__(self, features, dim, width=64, drop=0.25):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(features, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(drop), nn.Linear(width, dim)
        )

    def forward(self, x):
        return F.normalize(self.body(x), dim=-1)
