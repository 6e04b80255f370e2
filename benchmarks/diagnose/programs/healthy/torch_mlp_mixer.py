"""MLP-Mixer after Tolstikhin et al.: patches, mixing over places and over channels, AdamW with one cycle of the rate."""

import sys

import torch
import torch.nn.functional as F
from torch import nn


def mlp(width, hidden):
    return nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))


class MixerBlock(nn.Module):
    def __init__(self, places, width):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.tokens, self.channels = mlp(places, 32), mlp(width, 64)

    def forward(self, x):
        x = x + self.tokens(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.norm2(x))


class Mixer(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.patches = nn.Conv2d(1, width, 3, 3)
        self.blocks = nn.Sequential(*(MixerBlock(16, width) for _ in range(3)))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 4)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        return self.head(self.norm(self.blocks(x)).mean(1))


def quadrants(count):
    """A bright square; the label tells in which quarter of the image it lies."""
    labels = torch.randint(0, 4, (count,))
    images = 0.7 * torch.randn(count, 1, 12, 12)
    for image, label in zip(images, labels.tolist(), strict=True):
        top = 6 * (label // 2) + int(torch.randint(0, 4, ()))
        left = 6 * (label % 2) + int(torch.randint(0, 4, ()))
        image[0, top : top + 3, left : left + 3] += 2
    return images, labels


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
images, labels = quadrants(1280)
model = Mixer()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.05)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=3e-3, total_steps=6 * 32)
for epoch in range(6):
    for at in torch.randperm(1024).split(32):
        loss = F.cross_entropy(model(images[at]), labels[at])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    with torch.no_grad():
        accuracy = float((model(images[1024:]).argmax(1) == labels[1024:]).float().mean())
    print(f"epoch {epoch}: {accuracy:.3f}")
assert accuracy > 0.85
