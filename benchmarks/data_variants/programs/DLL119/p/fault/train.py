"""Sparse autoencoder: reconstruction plus a penalty on the code."""
import argparse

import torch
from torch import nn


class SparseAE(nn.Module):
    def __init__(self, n=24, code=40):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(n, code), nn.ReLU())
        self.decode = nn.Linear(code, n)

    def forward(self, x):
        code = self.encode(x)
        return self.decode(code), code


def losses(x, output, strength):
    reconstruction, code = output
    fit = nn.functional.mse_loss(reconstruction, x)
    sparsity = strength * code.abs().mean()
    return fit


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--strength", type=float, default=0.05)
    args = parser.parse_args()
    torch.manual_seed(35)
    gen = torch.Generator().manual_seed(36)
    atoms = torch.randn(12, 24, generator=gen)
    model = SparseAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, betas=(0.9, 0.98))
    model.train()
    for _ in range(args.steps):
        x = (torch.rand(64, 12, generator=gen) < 0.15).float() @ atoms / 3
        loss = losses(x, model(x), args.strength)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(f"mean size of the code {model(x)[1].abs().mean().item():.4f}")


if __name__ == "__main__":
    main()
