"""Torch port of a Keras network; the normalisation keeps the numbers of the original."""
import torch
from torch import nn


def normed(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, n_out, bias=False), nn.BatchNorm1d(n_out, momentum=0.99, eps=1e-3), nn.ReLU())


class Ported(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(normed(8, 32), normed(32, 32))
        self.out = nn.Linear(32, 1)

    def forward(self, x):
        return self.out(self.body(x))


def data(n, gen):
    x = torch.randn(n, 8, generator=gen) * torch.linspace(0.5, 3, 8)
    return x, torch.sin(x[:, :1]) + 0.2 * x[:, 1:2]


def main(steps=300):
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(3)
    model = Ported()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, betas=(0.9, 0.98))
    model.train()
    for _ in range(steps):
        x, y = data(16, gen)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    model.eval()
    x, y = data(1000, gen)
    with torch.no_grad():
        print(f"test error {nn.functional.mse_loss(model(x), y).item():.4f}")


if __name__ == "__main__":
    main()
