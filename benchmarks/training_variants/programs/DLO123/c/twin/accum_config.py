from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class TrainConfig:
    micro_batch: int = 8
    accumulate: int = 4
    lr: float = 0.1
    epochs: int = 3
    seed: int = 99


class Mixer(nn.Module):
    def __init__(self, patches, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.tokens = nn.Linear(patches, patches)
        self.channels = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, 3)

    def forward(self, x):
        y = self.norm(x)
        x = x + self.tokens(y.transpose(1, 2)).transpose(1, 2)
        x = x + F.gelu(self.channels(self.norm(x)))
        return self.head(x.mean(dim=1))


def train(cfg: TrainConfig):
    torch.manual_seed(cfg.seed)
    model = Mixer(9, 16)
    opt = torch.optim.SGD(model.parameters(), lr=cfg.lr)
    data = torch.randn(96, 9, 16)
    labels = data[:, :, 0].mean(dim=1).sign().long() + 1
    for epoch in range(cfg.epochs):
        opt.zero_grad()
        for i, start in enumerate(range(0, len(data), cfg.micro_batch)):
            rows = slice(start, start + cfg.micro_batch)
            loss = F.cross_entropy(model(data[rows]), labels[rows])
            (loss / cfg.accumulate).backward()
            if (i + 1) % cfg.accumulate == 0:
                opt.step()
                opt.zero_grad()
        print("epoch", epoch, "loss %.4f" % loss.item())


train(TrainConfig())
