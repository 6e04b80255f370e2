"""Metric learning on toy embeddings with a triplet loss; configuration by dataclass."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class Config:
    classes: int = 6
    per_class: int = 60
    features: int = 20
    embed: int = 8
    lr: float = 5e-3
    epochs: int = 5
    margin: float = 0.3
    seed: int = 11


class Triplets(Dataset):
    def __init__(self, cfg: Config):
        centres = torch.randn(cfg.classes, cfg.features)
        self.labels = torch.arange(cfg.classes).repeat_interleave(cfg.per_class)
        self.points = centres[self.labels] + 0.8 * torch.randn(len(self.labels), cfg.features)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        same = torch.nonzero(self.labels == self.labels[i]).flatten()
        other = torch.nonzero(self.labels != self.labels[i]).flatten()
        p = same[torch.randint(len(same), (1,)).item()]
        n = other[torch.randint(len(other), (1,)).item()]
        return self.points[i], self.points[p], self.points[n]


class Encoder(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(cfg.features, 64), nn.ReLU(), nn.Linear(64, cfg.embed))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


def run_epoch(encoder, loader, optimizer, cfg):
    encoder.train()
    seen, total = 0, 0.0
    for anchor, positive, negative in loader:
        optimizer.zero_grad()
        triple = encoder(anchor), encoder(positive), encoder(negative)
        loss = F.triplet_margin_loss(*triple, margin=cfg.margin)
        loss.backward()
        total += loss.item() * len(anchor)
        seen += len(anchor)
    optimizer.step()
    return total / seen


def main(cfg: Config):
    torch.manual_seed(cfg.seed)
    loader = DataLoader(Triplets(cfg), batch_size=24, shuffle=True)
    encoder = Encoder(cfg)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=cfg.lr, momentum=0.9)
    for epoch in range(cfg.epochs):
        print(f"[{epoch + 1}/{cfg.epochs}] triplet loss {run_epoch(encoder, loader, optimizer, cfg):.4f}")


if __name__ == "__main__":
    main(Config())
