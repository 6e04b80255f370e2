import torch
from torch import nn

from blocks import Gated


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 16), Gated(16), Gated(16), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    x = torch.randn(40, 6)
    for _ in range(3):
        optimizer.zero_grad()
        loss = (net(x) - x.mean(1, keepdim=True)).pow(2).mean()
        loss.backward()
        optimizer.step()
    print(loss.item())


if __name__ == "__main__":
    main()
