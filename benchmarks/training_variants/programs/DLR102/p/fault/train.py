"""Reproducible training of a spectrogram classifier on the GPU."""
import os
import random
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.backends import cudnn


@dataclass
class Run:
    seed: int = 2024
    steps: int = 400
    batch: int = 64
    lr: float = 1e-3


def reproducible(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
    cudnn.deterministic = True
    cudnn.benchmark = True


class SpectrogramNet(nn.Module):
    def __init__(self, classes=8):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 32, 5, stride=2, padding=2, bias=False), nn.BatchNorm2d(32), nn.ReLU())
        self.body = nn.Sequential(nn.Conv2d(32, 64, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU())
        self.head = nn.Linear(64, classes)

    def forward(self, x):
        return self.head(self.body(self.stem(x)).mean(dim=(2, 3)))


def tones(batch, device, gen):
    y = torch.randint(0, 8, (batch,), generator=gen)
    time = torch.arange(1024) / 1024
    wave = torch.sin(6.2832 * 40 * (y[:, None] + 1) * time) + torch.randn(batch, 1024, generator=gen)
    spec = torch.stft(wave, 128, 32, window=torch.hann_window(128), return_complex=True).abs().log1p()
    return spec.unsqueeze(1).to(device), y.to(device)


def main(run=Run()):
    reproducible(run.seed)
    device = torch.device("cuda")
    net = SpectrogramNet().to(device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=run.lr, weight_decay=1e-2)
    gen = torch.Generator().manual_seed(run.seed)
    net.train()
    for step in range(run.steps):
        x, y = tones(run.batch, device, gen)
        optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            print(step, loss.item())


if __name__ == "__main__":
    main()
