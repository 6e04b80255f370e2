from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def meter(name):
    class Mean:
        total, count = 0.0, 0

        def add(self, value):
            self.total += value
            self.count += 1

    mean = Mean()
    yield mean
    print(f"{name}: {float(mean.total) / max(mean.count, 1):.4f}")


def run_epoch(net, opt, loader, device):
    net.train()
    with meter("train loss") as mean:
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            opt.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            mean.add(loss.item())


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = nn.Sequential(nn.Linear(10, 32), nn.GELU(), nn.Linear(32, 3)).to(device)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    x, y = torch.randn(256, 10), torch.randint(3, (256,))
    loader = list(zip(x.split(32), y.split(32)))
    for _ in range(2):
        run_epoch(net, opt, loader, device)


if __name__ == "__main__":
    main()
