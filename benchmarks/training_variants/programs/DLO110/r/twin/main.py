import torch
from torch import nn

from meters import Meter


def main():
    torch.manual_seed(0)
    x = torch.randn(200, 3)
    y = x.abs().sum(1, keepdim=True)
    net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for epoch in range(3):
        meter = Meter()
        for xb, yb in zip(x.split(20), y.split(20)):
            optimizer.zero_grad()
            loss = nn.functional.l1_loss(net(xb), yb)
            loss.backward()
            optimizer.step()
            meter.update(loss.item(), len(xb))
        print(epoch, float(meter.mean))


if __name__ == "__main__":
    main()
