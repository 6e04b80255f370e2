from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def update(optimizer):
    optimizer.zero_grad()
    yield
    optimizer.step()


def fit(net, optimizer, batches, epochs):
    loss = None
    for _ in range(epochs):
        for x, y in batches:
            with update(optimizer):
                loss = nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y)
                loss.backward()
    return loss.item()


def main():
    torch.manual_seed(2)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    x = torch.randn(128, 6)
    y = (x[:, 0] > 0).float()
    print("learns:", fit(net, optimizer, list(zip(x.split(32), y.split(32))), 20) < 0.5)


if __name__ == "__main__":
    main()
