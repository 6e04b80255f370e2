"""Physics-informed network for u' = -u, u(0) = 1."""
import numpy as np
import torch
from torch import nn


class PINN(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, t):
        return self.body(t)

    def residual(self, t):
        t = t.requires_grad_(True)
        u = self(t)
        (du,) = torch.autograd.grad(u.sum(), t, create_graph=True)
        return du + u


class Solver:
    def __init__(self, seed=0):
        torch.manual_seed(seed)
        self.net = PINN()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)

    def solve(self, iterations):
        start = torch.zeros(1, 1)
        for _ in range(iterations):
            self.opt.zero_grad()
            loss = self.net.residual(torch.rand(64, 1) * 2).pow(2).mean() + (self.net(start) - 1).pow(2).sum()
            loss.backward()
            self.opt.step()
        return self

    def error(self):
        t = torch.linspace(0, 2, 50).unsqueeze(1)
        u = self.net(t)
        exact = np.exp(-t.numpy())
        return np.abs(np.asarray(u.detach()) - exact).max()


if __name__ == "__main__":
    print("largest error %.4f" % Solver().solve(150).error())
