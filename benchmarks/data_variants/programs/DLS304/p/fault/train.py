"""Twelve-layer network on a small table."""
import torch
from torch import nn


class Deep(nn.Module):
    def __init__(self, depth=12, width=64):
        super().__init__()
        self.first = nn.Linear(8, width)
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(depth - 2))
        self.last = nn.Linear(width, 2)

    def forward(self, x):
        x = torch.relu(self.first(x))
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.last(x)


def cases(n, gen):
    x = torch.randn(n, 8, generator=gen)
    return x, (x[:, 0] * x[:, 1] + 0.8 * torch.randn(n, generator=gen) > 0).long()


def main(epochs=30):
    torch.manual_seed(30)
    gen = torch.Generator().manual_seed(31)
    (x, y), (test_x, test_y) = cases(300, gen), cases(500, gen)
    model = Deep()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98))
    for _ in range(epochs):
        model.train()
        for index in torch.randperm(len(x)).split(30):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x[index]), y[index]).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        print(f"test loss {nn.functional.cross_entropy(model(test_x), test_y).item():.3f}")


if __name__ == "__main__":
    main()
