"""Mixture density regression with a hand-written likelihood."""
import math

import torch
from torch import nn


class MDN(nn.Module):
    def __init__(self, components=3, width=32):
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(1, width), nn.Tanh())
        self.weight, self.mean, self.log_std = (nn.Linear(width, components) for _ in range(3))

    def forward(self, x):
        h = self.hidden(x)
        return self.weight(h).log_softmax(-1), self.mean(h), self.log_std(h).clamp(-3, 2)


def objective(output, y):
    log_weight, mean, log_std = output
    z = (y - mean) / log_std.exp()
    log_density = -0.5 * z.pow(2) - log_std - 0.5 * math.log(2 * math.pi)
    return -torch.logsumexp(log_weight + log_density, dim=-1).mean()


def branches(n, gen):
    x = torch.rand(n, 1, generator=gen) * 2 - 1
    side = (torch.rand(n, 1, generator=gen) > 0.5).float() * 2 - 1
    return x, side * (x + 1) + 0.1 * torch.randn(n, 1, generator=gen)


def main(steps=150):
    torch.manual_seed(24)
    gen = torch.Generator().manual_seed(25)
    model = MDN()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, betas=(0.9, 0.98))
    for _ in range(steps):
        x, y = branches(100, gen)
        loss = objective(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
    x, y = branches(500, gen)
    with torch.no_grad():
        print(f"spread of the means around the data {(model(x)[1] - y).abs().amin(-1).mean().item():.3f}")


if __name__ == "__main__":
    main()
