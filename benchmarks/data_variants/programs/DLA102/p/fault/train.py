"""Whiten the inputs by their covariance before a small network is trained."""
import torch
from torch import nn


class Whitening(nn.Module):
    def __init__(self, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.register_buffer("mean", torch.zeros(1))
        self.register_buffer("matrix", torch.eye(1))

    @torch.no_grad()
    def fit(self, x):
        self.mean = x.mean(dim=0)
        centred = x - self.mean
        covariance = centred.t() @ centred / (len(x) - 1)
        values, vectors = torch.symeig(covariance, eigenvectors=True)
        self.matrix = vectors @ torch.diag((values + self.eps).rsqrt()) @ vectors.t()
        return self

    def forward(self, x):
        return (x - self.mean) @ self.matrix


def correlated(n, gen):
    mix = torch.randn(6, 6, generator=torch.Generator().manual_seed(0))
    z = torch.randn(n, 6, generator=gen)
    return z @ mix, (z[:, 0] > z[:, 1]).long()


def main(steps=100):
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(3)
    whiten = Whitening().fit(correlated(1000, gen)[0])
    head = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.AdamW(head.parameters(), lr=5e-3, weight_decay=1e-3)
    for _ in range(steps):
        x, y = correlated(64, gen)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(head(whiten(x)), y)
        loss.backward()
        optimizer.step()
    print(f"last loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
