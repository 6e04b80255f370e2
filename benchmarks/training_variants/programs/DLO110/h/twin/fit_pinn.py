import math

import torch
from torch import nn

from history import History


class SirenLayer(nn.Module):
    def __init__(self, i, o, w0=1.0):
        super().__init__()
        self.linear = nn.Linear(i, o)
        self.w0 = w0

    def forward(self, x):
        return torch.sin(self.w0 * self.linear(x))


def residual(u, x):
    """u'' + u = 0"""
    du = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    d2u = torch.autograd.grad(du.sum(), x, create_graph=True)[0]
    return d2u + u


def main():
    torch.manual_seed(0)
    model = nn.Sequential(SirenLayer(1, 32), SirenLayer(32, 32), nn.Linear(32, 1))
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    history = History()
    x0 = torch.zeros(1, 1)
    for it in range(150):
        x = (torch.rand(64, 1) * 2 * math.pi).requires_grad_(True)
        pde = residual(model(x), x).pow(2).mean()
        bc = (model(x0) - 1.0).pow(2).mean()
        loss = pde + 10 * bc
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.add(loss=loss.item(), pde=pde.item(), bc=bc.item())
    print(f"pde {history.last_mean('pde'):.4f} bc {history.last_mean('bc'):.4f}")


if __name__ == "__main__":
    main()
