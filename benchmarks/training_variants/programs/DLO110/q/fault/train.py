"""Ordinal regression; the training quadratic error is computed once per epoch from stored outputs."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Setup:
    grades: int = 5
    features: int = 9
    epochs: int = 3
    batch: int = 40
    lr: float = 4e-3


def essays(cfg, n, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(n, cfg.features, generator=gen)
    quality = x @ torch.linspace(-1, 1, cfg.features) + 0.3 * torch.randn(n, generator=gen)
    return TensorDataset(x, torch.bucketize(quality, torch.tensor([-2.0, -0.7, 0.7, 2.0])))


class Ordinal(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(cfg.features, 32), nn.Tanh(), nn.Linear(32, 1))
        self.cuts = nn.Parameter(torch.linspace(-1.5, 1.5, cfg.grades - 1))

    def forward(self, x):
        return self.score(x) - self.cuts


class Fitter:
    def __init__(self, cfg):
        self.cfg, self.model = cfg, Ordinal(cfg)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr, weight_decay=0.0)

    def loss(self, logits, grade):
        above = (grade[:, None] > torch.arange(self.cfg.grades - 1)).float()
        return nn.functional.binary_cross_entropy_with_logits(logits, above)

    def epoch(self, loader):
        self.model.train()
        all_logits, all_grades = [], []
        for x, grade in loader:
            logits = self.model(x)
            self.opt.zero_grad()
            self.loss(logits, grade).backward()
            self.opt.step()
            all_logits.append(logits)
            all_grades.append(grade)
        guess = (torch.cat(all_logits) > 0).sum(1)
        return (guess - torch.cat(all_grades)).float().pow(2).mean().item()


if __name__ == "__main__":
    torch.manual_seed(60)
    cfg = Setup()
    fitter = Fitter(cfg)
    loader = DataLoader(essays(cfg, 800, 1), batch_size=cfg.batch, shuffle=True)
    for i in range(cfg.epochs):
        print(f"epoch {i}: quadratic error {fitter.epoch(loader):.3f}")
