"""Temperature scaling of a four-way classifier after training."""
import torch
from torch import nn


class Calibrated(nn.Module):
    def __init__(self, base, start):
        super().__init__()
        self.base = base
        self.register_buffer("temperature", torch.tensor(float(start)))

    def forward(self, x):
        return self.base(x) / self.temperature


def quadrants(n, gen):
    x = torch.randn(n, 2, generator=gen)
    y = (x[:, 0] > 0).long() * 2 + (x[:, 1] > 0).long()
    return x + 0.3 * torch.randn(n, 2, generator=gen), y


def main(steps=120):
    torch.manual_seed(18)
    gen = torch.Generator().manual_seed(19)
    base = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 4))
    optimizer = torch.optim.AdamW(base.parameters(), lr=5e-3, weight_decay=1e-3)
    base.train()
    for _ in range(steps):
        x, y = quadrants(64, gen)
        optimizer.zero_grad()
        nn.functional.cross_entropy(base(x), y).backward()
        optimizer.step()
    model = Calibrated(base, start=4).eval()
    x, y = quadrants(500, gen)
    with torch.no_grad():
        loss = nn.functional.cross_entropy(model(x), y)
    print("shape of the temperature", list(model.temperature.shape), f"loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
