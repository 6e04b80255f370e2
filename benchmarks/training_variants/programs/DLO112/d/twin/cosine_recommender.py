"""Matrix factorisation of implicit ratings with a cosine schedule."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, TensorDataset


@dataclass(frozen=True)
class Settings:
    users: int = 40
    items: int = 60
    factors: int = 8
    epochs: int = 6
    batch: int = 64
    rate: float = 0.05


class Factorised(nn.Module):
    def __init__(self, s: Settings):
        super().__init__()
        self.user = nn.Embedding(s.users, s.factors)
        self.item = nn.Embedding(s.items, s.factors)
        self.bias = nn.Embedding(s.items, 1)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)


def interactions(s: Settings):
    u = torch.randint(0, s.users, (512,))
    i = torch.randint(0, s.items, (512,))
    return TensorDataset(u, i, ((u + i) % 2).float())


def learn(s: Settings):
    model = Factorised(s)
    optimizer = torch.optim.Adam(model.parameters(), lr=s.rate)
    scheduler = CosineAnnealingLR(optimizer, T_max=s.epochs, eta_min=1e-4)
    loader = DataLoader(interactions(s), batch_size=s.batch, shuffle=True)
    rates = []
    for _ in range(s.epochs):
        for u, i, y in loader:
            loss = nn.functional.binary_cross_entropy_with_logits(model(u, i), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        rates.append(round(scheduler.get_last_lr()[0], 5))
    return loss.item(), rates


torch.manual_seed(2)
final, rates = learn(Settings())
print("rates", rates)
print("loss %.4f" % final)
