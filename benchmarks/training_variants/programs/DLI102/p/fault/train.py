"""Factorisation machine for click prediction with hand-made parameters."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class FMConfig:
    fields: int = 6
    cardinality: int = 20
    rank: int = 8
    lr: float = 0.01
    epochs: int = 3


class FactorisationMachine(nn.Module):
    def __init__(self, cfg: FMConfig):
        super().__init__()
        total = cfg.fields * cfg.cardinality
        self.register_buffer("offsets", torch.arange(cfg.fields) * cfg.cardinality)
        self.bias = nn.Parameter(torch.zeros(1))
        self.linear = nn.Parameter(torch.zeros(total))
        self.factors = nn.Parameter(torch.empty(total, cfg.rank))
        self.attention = nn.Parameter(torch.ones(cfg.rank))
        nn.init.normal_(self.linear, std=0.01)

    def forward(self, ids):
        index = ids + self.offsets
        first = self.linear[index].sum(dim=1)
        v = self.factors[index]
        pairwise = 0.5 * (v.sum(dim=1).pow(2) - v.pow(2).sum(dim=1))
        return self.bias + first + (pairwise * self.attention).sum(dim=1)


def clicks(cfg, n, seed):
    gen = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, cfg.cardinality, (n, cfg.fields), generator=gen)
    score = (ids[:, 0] == ids[:, 1] % 5).float() * 2 + (ids[:, 2] > 10).float() - 0.5
    return TensorDataset(ids, (torch.rand(n, generator=gen) < score.sigmoid()).float())


def main():
    cfg = FMConfig()
    torch.manual_seed(1)
    loader = DataLoader(clicks(cfg, 2000, seed=2), batch_size=100, shuffle=True)
    model = FactorisationMachine(cfg)
    print(f"factors at start: std {model.factors.std().item():.4f}")
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr, betas=(0.9, 0.95))
    for _ in range(cfg.epochs):
        for ids, label in loader:
            loss = nn.functional.binary_cross_entropy_with_logits(model(ids), label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print(f"factors at the end: std {model.factors.std().item():.4f}, last loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
