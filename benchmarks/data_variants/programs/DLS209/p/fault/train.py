"""Attention pooling with functional dropout."""
import torch
import torch.nn.functional as F
from torch import nn


class AttentionPool(nn.Module):
    def __init__(self, dim, p):
        super().__init__()
        self.query = nn.Parameter(torch.randn(dim) / dim**0.5)
        self.p = p

    def forward(self, x):
        weight = (x @ self.query).softmax(dim=1)
        weight = F.dropout(weight, self.p)
        return (weight[..., None] * x).sum(dim=1)


class SetClassifier(nn.Module):
    def __init__(self, dim=8, p=0.3):
        super().__init__()
        self.pool = AttentionPool(dim, p)
        self.out = nn.Linear(dim, 2)

    def forward(self, x):
        return self.out(self.pool(x))


def sets(n, gen):
    y = torch.randint(0, 2, (n,), generator=gen)
    return torch.randn(n, 10, 8, generator=gen) + 0.6 * y[:, None, None], y


def main(steps=80):
    torch.manual_seed(20)
    gen = torch.Generator().manual_seed(21)
    model = SetClassifier()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, betas=(0.9, 0.98))
    model.train()
    for _ in range(steps):
        x, y = sets(64, gen)
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    x, _ = sets(50, gen)
    with torch.no_grad():
        print(f"difference of two predictions {(model(x) - model(x)).abs().max().item():.4f}")


if __name__ == "__main__":
    main()
