"""Gaussian-process-like random features; the loss applies a numpy function to the output."""
import numpy as np
import torch
from torch import nn


class RandomFeatures(nn.Module):
    def __init__(self, n_in, n_features, gen):
        super().__init__()
        self.register_buffer("w", torch.randn(n_in, n_features, generator=gen))
        self.register_buffer("b", 6.2832 * torch.rand(n_features, generator=gen))
        self.head = nn.Linear(n_features, 1)

    def forward(self, x):
        return self.head(torch.cos(x @ self.w + self.b)).squeeze(-1)


def pinball(residual, q=0.8):
    return torch.maximum(q * residual, (q - 1) * residual).mean()


def rainfall(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, (n, 2))
    y = np.exp(x[:, 0]) + rng.gamma(2.0, 0.3, n)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)


def main(epochs=8):
    torch.manual_seed(66)
    x, y = rainfall(800, 0)
    model = RandomFeatures(2, 128, torch.Generator().manual_seed(67))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, betas=(0.9, 0.95))
    for _ in range(epochs):
        model.train()
        for index in torch.randperm(len(x)).split(40):
            loss = pinball(y[index] - model(x[index]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.eval()
    tx, ty = rainfall(400, 1)
    with torch.no_grad():
        covered = (ty <= model(tx)).float().mean().item()
    print(f"share below the predicted 0.8 quantile: {covered:.3f}")


if __name__ == "__main__":
    main()
