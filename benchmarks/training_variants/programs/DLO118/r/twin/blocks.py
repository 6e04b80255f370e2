"""A gated residual block."""
import torch
from torch import nn


class Gated(nn.Module):
    def __init__(self, width, floor=0.1):
        super().__init__()
        self.value = nn.Linear(width, width)
        self.gate = nn.Linear(width, width)
        self.floor = floor

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        gate = gate + self.floor
        return x + gate * self.value(x)
