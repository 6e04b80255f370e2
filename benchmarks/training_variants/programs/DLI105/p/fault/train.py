"""Deep plain network for sensor data; weights are drawn layer by layer."""
import torch
from torch import nn


class SensorNet(nn.Module):
    def __init__(self, n_in=12, width=64, depth=10, n_out=4):
        super().__init__()
        sizes = [n_in] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.act = nn.ReLU()
        self.out = nn.Linear(width, n_out)
        self.reset()

    def reset(self):
        for layer in self.hidden:
            nn.init.xavier_normal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x):
        for layer in self.hidden:
            x = self.act(layer(x))
        return self.out(x)


def sensors(n, gen):
    y = torch.randint(0, 4, (n,), generator=gen)
    phase = torch.rand(n, 1, generator=gen)
    t = torch.arange(12) / 12
    return torch.sin(6.2832 * ((y[:, None] + 1) * t + phase)) + 0.1 * torch.randn(n, 12, generator=gen), y


def main(iterations=300):
    torch.manual_seed(18)
    gen = torch.Generator().manual_seed(19)
    net = SensorNet()
    x, _ = sensors(500, gen)
    with torch.no_grad():
        h = x
        for layer in net.hidden:
            h = net.act(layer(h))
    print(f"signal after {len(net.hidden)} layers: {h.std().item() / x.std().item():.4f}")
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
    net.train()
    for _ in range(iterations):
        x, y = sensors(64, gen)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
    x, y = sensors(500, gen)
    net.eval()
    with torch.no_grad():
        print(f"loss on fresh data {nn.functional.cross_entropy(net(x), y).item():.4f}")


if __name__ == "__main__":
    main()
