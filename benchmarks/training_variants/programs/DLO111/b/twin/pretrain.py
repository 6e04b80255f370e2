"""Masked prediction on random walks."""

import torch
from torch import nn

from schedule import warmup_cosine


class MaskedModel(nn.Module):
    def __init__(self, length=24, dim=32):
        super().__init__()
        self.inp = nn.Linear(2, dim)
        self.position = nn.Parameter(0.02 * torch.randn(length, dim))
        self.block = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.out = nn.Linear(dim, 1)

    def forward(self, values, mask):
        x = torch.stack([values.masked_fill(mask, 0.0), mask.float()], dim=-1)
        return self.out(self.block(self.inp(x) + self.position)).squeeze(-1)


class Pretrainer:
    def __init__(self, total_steps):
        self.model = MaskedModel()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.scheduler = warmup_cosine(self.optimizer, warmup=10, total=total_steps)
        self.total_steps = total_steps
        self.rates = []

    def next_batch(self, size=16, length=24):
        walk = torch.randn(size, length).cumsum(dim=1) / length**0.5
        return walk, torch.rand(size, length) < 0.2

    def apply_update(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.rates.append(self.scheduler.get_last_lr()[0])
        self.optimizer.step()
        self.advance()

    def advance(self):
        self.scheduler.step()

    def run(self):
        self.model.train()
        for step in range(self.total_steps):
            walk, mask = self.next_batch()
            prediction = self.model(walk, mask)
            loss = (prediction - walk)[mask].pow(2).mean()
            self.apply_update(loss)
            if step % 20 == 0:
                print(step, f"{loss.item():.4f} first rate {self.rates[0]:.6f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Pretrainer(total_steps=60).run()
