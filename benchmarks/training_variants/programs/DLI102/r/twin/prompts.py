"""Soft prompts put before the embedded tokens of a frozen classifier."""
import torch
from torch import nn


class SoftPrompt(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        self.tokens = nn.Parameter(torch.empty(length, width))
        self.gate = nn.Parameter(torch.empty(width))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.ones_(self.gate)
        nn.init.normal_(self.tokens, std=0.02)

    def forward(self, embedded):
        prompt = (self.tokens * self.gate).expand(embedded.size(0), -1, -1)
        return torch.cat([prompt, embedded], dim=1)
